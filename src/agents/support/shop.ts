import type { Json } from "../../turn/json.ts";

/** A plan the company sells. */
export interface Plan {
  name: string;
  /** US dollars a month. */
  price: number;
  seats: number;
  includes: string;
}

export const plans: readonly Plan[] = [
  { name: "Free", price: 0, seats: 1, includes: "one workspace and community help" },
  { name: "Pro", price: 20, seats: 5, includes: "unlimited workspaces and mail support" },
  { name: "Team", price: 60, seats: 25, includes: "everything in Pro, single sign-on and an uptime promise" },
];

/** Something a customer has bought. */
export interface Order {
  orderId: string;
  customer: string;
  item: string;
  /** US dollars. */
  amount: number;
  status: "delivered" | "on its way" | "in preparation";
  arrives: string | null;
}

const orders: readonly Order[] = [
  {
    orderId: "1042",
    customer: "Ana Silva",
    item: "Pro plan, one year",
    amount: 240,
    status: "delivered",
    arrives: null,
  },
  {
    orderId: "1043",
    customer: "Ben Okafor",
    item: "Hardware key",
    amount: 49,
    status: "on its way",
    arrives: "October 21",
  },
  {
    orderId: "1044",
    customer: "Chloé Martin",
    item: "Team plan, one month",
    amount: 60,
    status: "delivered",
    arrives: null,
  },
  {
    orderId: "1045",
    customer: "Dai Kimura",
    item: "Conference badge",
    amount: 19.5,
    status: "in preparation",
    arrives: "October 28",
  },
];

/** The order of that number, however it is written (`1042`, `#1042`, `ORD-1042`). */
export function findOrder(orderId: string): Order | undefined {
  const digits = orderId.replace(/\D/g, "");
  return orders.find((order) => order.orderId === digits);
}

/** One refund that was made. */
export interface Refund {
  orderId: string;
  amount: number;
  callId: string;
}

/** The refunds in a shared state. */
export function refundsIn(refunds: Json | undefined): Refund[] {
  if (!Array.isArray(refunds)) return [];
  return refunds.flatMap((refund) => {
    if (typeof refund !== "object" || refund === null || Array.isArray(refund)) return [];
    const { orderId, amount, callId } = refund;
    const whole = typeof orderId === "string" && typeof amount === "number" && typeof callId === "string";
    return whole ? [{ orderId, amount, callId }] : [];
  });
}

/** What has been paid back of an order, US dollars. */
export function refunded(refunds: readonly Refund[], orderId: string): number {
  return refunds.reduce((total, refund) => total + (refund.orderId === orderId ? refund.amount : 0), 0);
}

/** `$19.50`, `$240`. */
export function dollars(amount: number): string {
  return `$${Number.isInteger(amount) ? amount : amount.toFixed(2)}`;
}
