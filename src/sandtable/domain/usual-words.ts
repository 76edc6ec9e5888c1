import { nearest } from "../text/nearest.ts";

/** Words of other formats, such as JSON Schema or a programming language, and what they are called here. */
const usualWords: Record<string, string[]> = {
  str: ["string"],
  text: ["string"],
  int: ["integer"],
  float: ["number"],
  double: ["number"],
  decimal: ["number"],
  num: ["number"],
  bool: ["boolean"],
  array: ["list"],
  arr: ["list"],
  dict: ["object"],
  map: ["object"],
  mapping: ["object"],
  min: ["minimum"],
  max: ["maximum"],
  desc: ["description"],
  values: ["enum"],
  parameters: ["params"],
  arguments: ["params", "args"],
  input_schema: ["params"],
};

/** The right word that was probably meant: what is usually written elsewhere for it, else the nearest one. */
export function meantWord(word: string, known: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  const usual = Object.hasOwn(usualWords, lower) ? usualWords[lower] : undefined;
  return usual?.find((candidate) => known.includes(candidate)) ?? nearest(word, known);
}
