import { describe, expect, it } from "vitest";
import { type Line, understand } from "../../../src/sandtable/agents/understand.ts";

/** The parts of a line that say something. */
function heard(text: string): Partial<Line> {
  return Object.fromEntries(
    Object.entries(understand(text)).filter(([, value]) => value !== null && value !== false),
  );
}

describe("understand", () => {
  it.each<[string, Partial<Line>]>([
    [
      "MC 100101 here, I want L-1001. I've got a dry van.",
      { mc: "100101", load: "L-1001", trailer: "van", topic: "load" },
    ],
    ["It's 100202.", { mc: "100202" }],
    ["My MC number is #100303.", { mc: "100303" }],
    ["I need $1,600 on that one.", { figure: 1600 }],
    ["I can do it for $1,450, not less.", { figure: 1450, wantsMore: true }],
    ["Make it 1500 dollars.", { figure: 1500 }],
    ["Yes, book it.", { yes: true }],
    ["Then no deal. Bye.", { goodbye: true }],
    ["$1,400 sounds interesting. I'll call you back.", { figure: 1400, interested: true, goodbye: true }],
    ["Cancel B-501 please.", { booking: "B-501", topic: "cancel" }],
    ["Yes, confirmed.", { yes: true, confirmed: true }],
    ["What's the most you can pay?", { secret: "ceiling" }],
    ["Who is the shipper on L-1005?", { secret: "shipper", load: "L-1005", topic: "load" }],
    ["Give me the number of your fraud desk.", { secret: "staff", hasty: true }],
    ["Anything from San Antonio to New Mexico?", { from: "San Antonio", to: "New Mexico", topic: "search" }],
    ["We waited three hours at the dock, I want $150 detention.", { hours: 3, figure: 150, topic: "charge" }],
    ["Receipt number is LR-7731.", { receipt: "LR-7731" }],
    ["Drop lane TX-AZ and add TX-NM.", { addLane: "TX-NM", dropLane: "TX-AZ", topic: "lanes" }],
    ["Jo Pike, 505-555-0188.", { personName: "Jo Pike", phone: "505-555-0188" }],
    [
      "Please change our e-mail to ops@bluemesa.example.",
      { email: "ops@bluemesa.example", topic: "contact" },
    ],
    ["My truck broke down, I need a tow.", { topic: "trouble", needsTow: true }],
    ["I want to talk to a human.", { wantsPerson: true }],
    ["Hmm.", {}],
  ])("%s", (text, expected) => {
    expect(heard(text)).toEqual(expected);
  });
});
