import type { JsonObject } from "../../../../../src/turn/json.ts";
import type { DemoTable } from "./demo-table.ts";
import { dayAfter, seeded } from "./seeded.ts";

const priorities = [
  { value: "p1", label: "Urgent" },
  { value: "p2", label: "High" },
  { value: "p3", label: "Normal" },
  { value: "p4", label: "Low" },
];
const statuses = [
  { value: "open", label: "Open" },
  { value: "pending", label: "Waiting on customer" },
  { value: "resolved", label: "Resolved" },
  { value: "closed", label: "Closed" },
];
const assignees = [
  { value: "maya", label: "Maya Cohen" },
  { value: "omar", label: "Omar Haddad" },
  { value: "priya", label: "Priya Nair" },
  { value: "tom", label: "Tom Becker" },
];
const topics = [
  "Cannot log in after reset",
  "Invoice shows the wrong address",
  "Export stops at 1,000 rows",
  "Refund has not arrived",
  "App is slow since this morning",
  "Two accounts with one email",
  "Webhook fires twice",
  "Password email never comes",
  "Discount was not applied",
  "Dark mode hides a button",
] as const;
const requesters = ["Liam Ford", "Noor Aziz", "Petra Vogel", "Sven Dahl", "Mina Park", "Luis Prado"] as const;

function rows(today: string): JsonObject[] {
  const random = seeded(404, today);
  return Array.from({ length: 10_000 }, (_, at) => {
    const created = random.day(1);
    const status = statuses[random.between(0, 3)]?.value ?? "open";
    return {
      id: `t${at + 1}`,
      ticket: `T-${at + 1_001}`,
      subject: random.pick(topics),
      priority: priorities[random.between(0, 3)]?.value ?? "p3",
      status,
      assignee: assignees[random.between(0, 3)]?.value ?? "maya",
      requester: random.pick(requesters),
      slaDue: dayAfter(Date.parse(created), random.between(1, 6)),
      createdAt: created,
      csat: status === "closed" && random.once(2) ? random.between(1, 5) : null,
      internalNote: random.once(8) ? "Asked twice. Be kind." : "",
    };
  });
}

/** Ten thousand tickets of a support team; the words shown are not the values kept. */
export const tickets: DemoTable = {
  id: "tickets",
  label: "Support tickets",
  noun: { one: "ticket", many: "tickets" },
  columns: [
    { id: "ticket", label: "Ticket", type: "string", width: 104, groupable: false },
    { id: "subject", label: "Subject", type: "string", writable: true, width: 260 },
    { id: "priority", label: "Priority", type: "string", writable: true, width: 110, choices: priorities },
    { id: "status", label: "Status", type: "string", writable: true, width: 170, choices: statuses },
    { id: "assignee", label: "Assignee", type: "string", writable: true, width: 140, choices: assignees },
    { id: "requester", label: "Requester", type: "string", width: 130 },
    { id: "slaDue", label: "SLA due", type: "date", writable: true, width: 120, groupable: false },
    { id: "createdAt", label: "Created", type: "date", width: 120, groupable: false },
    {
      id: "csat",
      label: "CSAT",
      type: "number",
      width: 92,
      description: "Satisfaction from 1 to 5",
    },
    {
      id: "internalNote",
      label: "Internal note",
      type: "string",
      readable: false,
      sortable: false,
      groupable: false,
      width: 190,
    },
  ],
  filters: [
    { key: "subject", label: "Subject", type: "text" },
    { key: "priority", label: "Priority", type: "select", options: priorities },
    { key: "status", label: "Status", type: "multiSelect", options: statuses },
    { key: "assignee", label: "Assignee", type: "checklist", options: assignees },
    { key: "requester", label: "Requester", type: "text" },
    { key: "slaDue", label: "SLA due", type: "dateRange" },
    { key: "createdAt", label: "Created", type: "dateRange" },
    { key: "csat", label: "CSAT", type: "numberRange" },
  ],
  rows,
  view: { aggregations: { csat: "avg" } },
  actions: (edit) => [
    {
      key: "escalate",
      label: "Escalate",
      scope: "row",
      kind: "write",
      description: "Make a ticket urgent",
      run: (rowKeys) => {
        for (const rowKey of rowKeys) edit(rowKey, { priority: "p1" });
      },
    },
    {
      key: "close",
      label: "Close",
      scope: "bulk",
      kind: "destructive",
      description: "Close the selected tickets",
      run: (rowKeys) => {
        for (const rowKey of rowKeys) edit(rowKey, { status: "closed" });
      },
    },
  ],
  suggestions: [
    { say: "assign T-1001, T-1002 and T-1003 to Tom", namesRows: true },
    { say: "urgent open tickets, oldest first" },
    { say: "group by assignee and count the tickets" },
    { say: "only tickets due this week" },
    { say: "hide requester" },
  ],
};
