import * as z from "zod";
import { strict } from "../forms.ts";
import { id, text } from "./value.ts";

/** domain.yaml */
export const domain = strict({
  name: id.meta({ description: "Short name of the domain, shown in reports." }),
  description: text.meta({
    description: "Who the agent is and what it does. With policy.md it is the default system prompt.",
  }),
  clock: z.iso
    .datetime({ offset: true, error: "is no instant; expected a date and time such as 2026-10-18T21:05:00Z" })
    .meta({ description: "The instant every trial believes it is, such as 2026-10-18T21:05:00Z." }),
});
export type DomainSource = z.input<typeof domain>;
