import type { DemoTable } from "./demo-table.ts";
import { orders } from "./orders.ts";
import { people } from "./people.ts";
import { tickets } from "./tickets.ts";

/** The tables people can try; the first is the one the page opens with. */
export const tables: readonly [DemoTable, ...DemoTable[]] = [people, orders, tickets];
