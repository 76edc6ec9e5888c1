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
    "$1,400, okay. Book it.",
    "$1,400 works for me. Go ahead.",
    "Yes. Let me know if anything changes.",
    "Sounds good, call me if you need anything.",
    "Okay. If you need anything, text me.",
    "If you could, please book it. Yes.",
    "Yes, book it. I'll call you back with the driver's name.",
    "Yes, go ahead, and I'll call you back when I'm loaded.",
    "Book it. I'll talk to you later.",
    "Yes. I think he'll be there by eight.",
    "Yes, book it. He might be ten minutes late.",
    "Yes, he probably gets there early",
    "Might as well, book it.",
    "Book it, even if it's heavy.",
    "Yes, my driver will check in at the gate.",
    "Yes, I have to check in at 8, right?  Book it.",
    "Go ahead, I don't have to ask anyone.",
    "Okay, book it, I need 45 minutes to get there.",
    "Yes, early slot if possible.",
    "I'll ask for the dock number there. Yes, book it.",
    "We have a deal. Send me the rate con.",
    "That's fine, lock it in",
    "Yes, confirmed.",
    "Agreed, $1,375 on L-1002.",
    "Absolutely, proceed.",
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
    "$1,400, okay. I'd have to ask my driver first.",
    "Okay, I have to ask my driver.",
    "Sounds good. I'll need to check with dispatch.",
    "Yes, I'd just have to run it by my boss",
    "Sure, let me check with my driver.",
    "Great. Let me check.",
    "Okay, let me call my dispatcher.",
    "That works, I think, but let me talk to my partner",
    "Sounds good, I'll ask him and call you back.",
    "Okay. I'll call you back.",
    "Yes, I'll get back to you on that.",
    "I'm going to have to think about it. Sounds good though.",
    "Fine, let me sleep on it",
    "Yes, once my driver agrees.",
    "Okay, as soon as I hear from the driver",
    "Good. I'll see if he can do it.",
    "Okay, pending my boss's okay",
    "Sure, depends on the weight.",
    "Maybe.",
    "Okay, maybe.",
    "Yes... maybe.",
    "Maybe, sounds good",
    "I think so.",
    "Yes, I think so.",
    "I think that works.",
    "Yeah, I guess that works",
    "Probably okay",
    "Okay. Probably.",
    "Perhaps. Good rate.",
    "Okay, I'm not sure.",
    "$1,400, okay. If my driver agrees.",
    "Yes. If my driver agrees.",
    "Yes if it's no-touch",
    "Sounds good if you can load at six",
    "If it pays $1,500, book it",
    "Fine, but I need $1,600.",
    "Okay, make it $1,500.",
    "Give me $1,500 and we have a deal.",
    "Okay, that's too low.",
    "Okay?",
    "Yes?",
    "Deal?",
    "Okay, what's the weight?",
    "Can you do that, okay?",
    "I should ask my husband, that's fine otherwise",
    "Okay, not at that rate",
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
    expect(affirms("Confirmed. I'd have to ask my driver.", ["confirmed"])).toBe(false);
    expect(affirms("Confirmed if he agrees", ["confirmed"])).toBe(false);
    expect(affirms("Confirmed?", ["confirmed"])).toBe(false);
    expect(affirms("Confirmed, can you do it now?", ["confirmed"])).toBe(true);
    expect(affirms("It is unconfirmed", ["confirmed"])).toBe(false);
    expect(affirms("👍", ["👍"])).toBe(true);
    expect(affirms("我确认取消", ["确认"])).toBe(true);
    expect(affirms("anything", [""])).toBe(false);
    expect(affirms("anything", [])).toBe(false);
  });

  test.each<[string, string, boolean]>([
    ["cancel it", "Cancel it.", true],
    ["cancel it", "Yes, cancel it please", true],
    ["cancel it", "Actually, cancel it", true],
    ["cancel it", "Don't cancel it", false],
    ["cancel it", "No, don't cancel it.", false],
    ["cancel it", "Cancel it? No.", false],
    ["cancel it", "Cancel it, wait, hold on", false],
    ["stop the shipment", "Stop the shipment!", true],
    ["stop the shipment", "Never stop the shipment", false],
    ["no objections", "No objections.", true],
    ["no objections", "No, no objections", false],
    ["no", "No.", true],
    ["no", "No, wait.", false],
    ["nothing else", "Nothing else, thanks", true],
    ["no problem", "No problem", true],
    ["why not", "Why not", true],
    ["I don't mind", "I don’t mind.", true],
    ["I don't mind", "I don't think I don't mind", false],
    ["do not renew", "Please do NOT renew", true],
    ["not needed any more", "It's not needed any more", true],
    ["only if asked", "Only if asked.", true],
    ["no, that's wrong", "no that's wrong", true],
    ["hold it", "hold it", true],
    ["hold it", "hold on", false],
  ])("of [%s], %j is a yes: %s", (word, line, expected) => expect(affirms(line, [word])).toBe(expected));

  test("takes time in proportion to the text", () => {
    const started = performance.now();
    for (const part of ["i ", "yes, ", "if any ", "i have to ", "let me ", "a-", "cancel "])
      affirms(part.repeat(20_000), ["cancel it now", "a a a b"]);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
