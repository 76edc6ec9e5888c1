import { defineHook, progress, sleep } from "greenroom/workflow";
import * as z from "zod";

export const inputSchema = z.object({
  customer: z.string().min(1),
  token: z.string().min(1).max(200).describe("What the customer's reply is handed in under."),
  /** Reminders before it gives up. */
  reminders: z.number().int().min(0).max(10).default(2),
  every: z.string().default("1 day"),
});

const reply = defineHook({ schema: z.object({ text: z.string() }) });

/** Writes to a customer and reminds them, a few times, until they reply. */
export async function followUpWorkflow({ customer, token, reminders, every }: z.output<typeof inputSchema>) {
  "use workflow";
  const replied = reply.create({ token });
  for (let sent = 0; ; sent += 1) {
    await write(customer, sent);
    const answer = await Promise.race([replied, sleep(every)]);
    if (answer !== undefined) return { customer, reply: answer.text, messages: sent + 1 };
    if (sent === reminders) return { customer, reply: null, messages: sent + 1 };
  }
}

/** Where a company would send its mail. */
async function write(customer: string, reminder: number) {
  "use step";
  const subject = reminder === 0 ? "How can we help?" : `Reminder ${reminder}`;
  await progress({ to: customer, subject });
  return { subject };
}
