import { stemOf } from "./words.ts";

/** What people call a kind of column, beside its label: `names` mark the columns, `says` are said instead. */
interface Concept {
  id: string;
  names: string;
  says: string;
  /** Kinds of field it can be. */
  kinds: readonly string[];
}

const concepts: readonly Concept[] = [
  {
    id: "pay",
    names: "salary pay wage income compensation earnings payroll",
    says: "salary pay paid wage income earn earner earning earns make makes making compensation payroll earners",
    kinds: ["number"],
  },
  {
    id: "money",
    names:
      "salary pay wage total amount price revenue cost value budget spend fee balance sum sales turnover invoice",
    says: "worth value valued revenue cost costs price priced spend spent amount spending money turnover expensive cheap paying",
    kinds: ["number"],
  },
  {
    id: "quantity",
    names: "items quantity qty pieces units count stock",
    says: "items pieces units quantity",
    kinds: ["number"],
  },
  {
    id: "score",
    names: "csat satisfaction rating score stars",
    says: "satisfaction rating rated score happy happiness",
    kinds: ["number"],
  },
  { id: "age", names: "age", says: "old aged", kinds: ["number"] },
  {
    id: "joined",
    names: "start hire hired join joined joining employed",
    says: "joined join joiner joiners joins hired hire hires started start starting starts serving tenure seniority employed",
    kinds: ["date"],
  },
  {
    id: "created",
    names: "created placed opened ordered submitted raised logged reported received order",
    says: "created create placed place opened open ordered submitted raised logged came arrived reported received filed bought",
    kinds: ["date"],
  },
  {
    id: "due",
    names: "due deadline sla expires expiry",
    says: "due deadline sla overdue breach breaching breached breaches expires expiring late",
    kinds: ["date"],
  },
  {
    id: "shipped",
    names: "shipped ship shipping dispatched sent delivered",
    says: "shipped ship dispatched sent left shipping",
    kinds: ["date"],
  },
  {
    id: "updated",
    names: "updated modified changed",
    says: "updated modified changed touched",
    kinds: ["date"],
  },
  {
    id: "place",
    names: "location city office place site country region",
    says: "based located live lives living city office place where location",
    kinds: ["option", "text"],
  },
  {
    id: "handler",
    names: "assignee owner assigned agent handler responsible",
    says: "assigned assign assignee owner owned owns handles handling handled responsible reassign unassigned",
    kinds: ["option", "text"],
  },
  {
    id: "asker",
    names: "requester reporter author",
    says: "requested requester reporter reported from",
    kinds: ["option", "text"],
  },
  {
    id: "buyer",
    names: "customer client buyer company account",
    says: "customer client buyer company account bought",
    kinds: ["option", "text"],
  },
  {
    id: "job",
    names: "role title job position",
    says: "job role position works work title",
    kinds: ["option", "text"],
  },
  { id: "name", names: "name fullname", says: "called named name", kinds: ["text"] },
  {
    id: "group",
    names: "team department squad group",
    says: "team department squad",
    kinds: ["option", "text"],
  },
  { id: "state", names: "status state stage", says: "status state stage", kinds: ["option", "text"] },
  {
    id: "urgency",
    names: "priority severity urgency",
    says: "priority prio severity urgency urgent",
    kinds: ["option", "text"],
  },
  {
    id: "label",
    names: "tags tag labels label",
    says: "tagged tag labelled labeled tags",
    kinds: ["option", "text"],
  },
];

/** Concepts that mark when something began to be: what `newest` and a date without a column mean first. */
export const beginnings: readonly string[] = ["created", "joined"];

const stems = concepts.map(({ id, names, says, kinds }) => ({
  id,
  kinds,
  names: new Set(names.split(" ").map(stemOf)),
  says: says.split(" ").map(stemOf),
}));

/** Ids of the concepts a field belongs to, by the words of its label, its id and its description. */
export function conceptsOf(kind: string, words: readonly string[], described: readonly string[]): string[] {
  const fits = stems.filter(({ kinds }) => kinds.includes(kind));
  const named = fits.filter(({ names }) => words.some((word) => names.has(stemOf(word))));
  const found =
    named.length > 0 ? named : fits.filter(({ names }) => described.some((word) => names.has(stemOf(word))));
  return found.map(({ id }) => id);
}

/** Stems that are said for a concept. */
export function saidFor(id: string): readonly string[] {
  return stems.find((concept) => concept.id === id)?.says ?? [];
}
