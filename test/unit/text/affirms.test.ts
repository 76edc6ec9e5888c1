import { describe, expect, test } from "vitest";
import { affirms } from "../../../src/sandtable/text/affirms.ts";

describe("affirms", () => {
  test.each([
    "Yes",
    "yes, book it.",
    "Go ahead.",
    "Okay, go ahead and book it",
    "That works for me!",
    "Sounds good, let's do it",
    "Sure thing",
    "Yep — lock it in",
    "I’ll take it.",
    "No problem, go ahead.",
    "Deal.",
    "Fine, that's fine. Send me the rate con.",
    "Yes. Let me know if you need anything else.",
    "Yes, can you book it?",
    "I don't have any questions, go ahead.",
    "YES!!!",
    "Perfect",
    "Yes, cancel booking B-2.",
    "Yes, please cancel it",
    "No, that's all. Go ahead and book it.",
    "No other questions, book it.",
    "Yes, one stop is fine",
    "I can wait, so yes",
  ])("%s is a yes", (line) => expect(affirms(line)).toBe(true));

  test.each([
    "No",
    "no, thanks",
    "Not yet.",
    "Don't book it.",
    "don’t book it yet",
    "Yes, but only if you make it $1,600.",
    "Yes but only if it loads tomorrow",
    "Sure, if you can do 1,600.",
    "I'm not sure",
    "That's not okay",
    "That doesn't work for me",
    "Hold on, yes... wait.",
    "Yes. Actually cancel that.",
    "Is that okay?",
    "Can you book it?",
    "Go ahead unless it's hazmat",
    "I need $1,600 on that one.",
    "What's the rate?",
    "",
    "yesterday",
    "Make sure it has a liftgate",
    "never mind",
    "Cancel it",
    "Wait, yes, what was the rate",
    "I'll pass on that",
    "No. Go ahead and try someone else",
    "yes... hold off",
    "not a chance",
    "You can't do it",
    "I would never agree, that's fine for others but no deal",
  ])("%s is no yes", (line) => expect(affirms(line)).toBe(false));

  test("own words replace the built-in ones, and are still turned around", () => {
    expect(affirms("Roger that", ["roger"])).toBe(true);
    expect(affirms("Yes", ["roger"])).toBe(false);
    expect(affirms("Not roger", ["roger"])).toBe(false);
    expect(affirms("I can't say I confirm", ["I confirm"])).toBe(false);
    expect(affirms("I confirm", ["I confirm"])).toBe(true);
    expect(affirms("OK. Confirmed, cancel it.", ["confirmed"])).toBe(true);
    expect(affirms("well, yes and book it please", ["yes, and book it"])).toBe(true);
    expect(affirms("don't say yes, and book it", ["yes, and book it"])).toBe(false);
  });
});
