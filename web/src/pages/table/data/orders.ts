import type { JsonObject } from "../../../../../src/turn/json.ts";
import { type DemoTable, options } from "./demo-table.ts";
import { dayAfter, seeded } from "./seeded.ts";

const regions = ["EMEA", "APAC", "Americas"] as const;
const statuses = ["New", "Paid", "Shipped", "Delivered", "Cancelled"] as const;
const customers = [
  "Acme GmbH",
  "Birch & Co",
  "Cobalt Ltd",
  "Dune Systems",
  "Everest Foods",
  "Fjord AS",
  "Globex",
  "Harbor Inc",
  "Indigo Labs",
  "Juniper Retail",
  "Kite Logistics",
  "Lumen Energy",
  "Maple Health",
  "Nimbus Cloud",
  "Orchid Travel",
] as const;

function rows(today: string): JsonObject[] {
  const random = seeded(77, today);
  return Array.from({ length: 10_000 }, (_, at) => {
    const placed = random.day(2);
    const status = random.pick(statuses);
    const items = random.between(1, 60);
    const total = Math.round(items * (18 + random.next() * 140) * 100) / 100;
    const left = status === "Shipped" || status === "Delivered";
    return {
      id: `o${at + 1}`,
      number: `SO-${at + 10_001}`,
      customer: random.pick(customers),
      region: random.pick(regions),
      status,
      total,
      items,
      orderDate: placed,
      shipDate: left ? dayAfter(Date.parse(placed), random.between(1, 9)) : null,
      notes: random.once(12) ? random.pick(["gift wrap", "fragile", "call before delivery"]) : "",
      margin: Math.round(total * random.next() * 0.4 * 100) / 100,
    };
  });
}

/** Ten thousand orders of a shop. */
export const orders: DemoTable = {
  id: "orders",
  label: "Orders",
  noun: { one: "order", many: "orders" },
  columns: [
    { id: "number", label: "Order", type: "string", width: 112, groupable: false },
    { id: "customer", label: "Customer", type: "string", width: 168, choices: options(customers) },
    { id: "region", label: "Region", type: "string", width: 110, choices: options(regions) },
    { id: "status", label: "Status", type: "string", writable: true, width: 116, choices: options(statuses) },
    {
      id: "total",
      label: "Total",
      type: "number",
      width: 120,
      format: "money",
      groupable: false,
      description: "Value of the order in EUR",
    },
    {
      id: "items",
      label: "Items",
      type: "number",
      width: 90,
      groupable: false,
      description: "Number of pieces",
    },
    {
      id: "orderDate",
      label: "Order date",
      type: "date",
      width: 124,
      groupable: false,
      description: "Day the order was placed",
    },
    {
      id: "shipDate",
      label: "Shipped on",
      type: "date",
      width: 124,
      groupable: false,
      description: "Day the order left the warehouse",
    },
    {
      id: "notes",
      label: "Notes",
      type: "string",
      writable: true,
      nullable: true,
      width: 190,
      groupable: false,
    },
    {
      id: "margin",
      label: "Margin",
      type: "number",
      readable: false,
      sortable: false,
      groupable: false,
      width: 110,
      format: "money",
    },
  ],
  filters: [
    { key: "customer", label: "Customer", type: "multiSelect", options: options(customers) },
    { key: "region", label: "Region", type: "multiSelect", options: options(regions) },
    { key: "status", label: "Status", type: "multiSelect", options: options(statuses) },
    { key: "total", label: "Total", type: "numberRange" },
    { key: "items", label: "Items", type: "numberRange" },
    { key: "orderDate", label: "Order date", type: "dateRange" },
    { key: "shipDate", label: "Shipped on", type: "dateRange" },
  ],
  rows,
  view: { aggregations: { total: "sum", items: "sum" } },
  savedViews: [
    {
      id: "big-open",
      label: "Big open orders",
      view: {
        filters: { status: ["New", "Paid"], totalMin: "5000", totalOp: "gte" },
        sort: { key: "total", dir: "desc" },
        groupBy: null,
        search: "",
      },
    },
  ],
  suggestions: [
    { say: "set status of SO-10001, SO-10002 and SO-10003 to Shipped", namesRows: true },
    { say: "only new and paid EMEA orders over 3000, newest first" },
    { say: "group by customer and sum total" },
    { say: "show the big open orders view" },
    { say: "how many orders were cancelled?" },
    { say: "export as csv" },
  ],
};
