import type { Holey } from "./check-shape.ts";
import { isList, isMapping, isNumber, isText } from "./forms.ts";
import { inside, keysInOrder, type Place } from "./place.ts";
import type { ProblemList } from "./problem-list.ts";
import type { ParamObject, ParamSource } from "./source/tools.ts";
import type { NamedParam, Param, ParamType } from "./types.ts";

/** Compiles parameters in the order written. `complete` is false when one of them is mistaken. */
export function compileParams(
  source: Holey<{ [name: string]: ParamSource }> | undefined,
  place: Place,
  problems: ProblemList,
): { params: NamedParam[]; complete: boolean } {
  const names = source === undefined ? [] : keysInOrder(place);
  const params = names.flatMap((name): NamedParam[] => {
    const param = compileParam(source?.[name], inside(place, name), problems);
    return param === undefined ? [] : [{ name, ...param }];
  });
  return { params, complete: params.length === names.length };
}

function compileParam(
  source: Holey<ParamSource> | undefined,
  place: Place,
  problems: ProblemList,
): Param | undefined {
  if (source === undefined) return undefined;
  if (typeof source === "string") return { type: source, optional: false };
  const full: Holey<ParamObject> = isList(source) ? { enum: source } : source;
  const allowed = full.enum?.filter((value) => value !== undefined);
  const type = full.type ?? typeOfEnum(allowed, place, problems);
  if (type === undefined) return undefined;
  checkLimits(full, type, isList(source) ? place : inside(place, "enum"), place, problems);
  const items = full.items && compileParam(full.items, inside(place, "items"), problems);
  const inner = full.properties && compileParams(full.properties, inside(place, "properties"), problems);
  if ((full.items && !items) || inner?.complete === false) return undefined;
  return {
    type,
    ...(full.description !== undefined && { description: full.description }),
    optional: full.optional ?? false,
    ...(allowed !== undefined && { enum: allowed }),
    ...(full.minimum !== undefined && { minimum: full.minimum }),
    ...(full.maximum !== undefined && { maximum: full.maximum }),
    ...(full.minLength !== undefined && { minLength: full.minLength }),
    ...(full.maxLength !== undefined && { maxLength: full.maxLength }),
    ...(full.minItems !== undefined && { minItems: full.minItems }),
    ...(full.maxItems !== undefined && { maxItems: full.maxItems }),
    ...(items !== undefined && { items }),
    ...(inner !== undefined && { properties: inner.params }),
  };
}

function typeOfEnum(
  allowed: (string | number)[] | undefined,
  place: Place,
  problems: ProblemList,
): ParamType | undefined {
  if (allowed === undefined) {
    problems.atKey(place, "the argument has neither type nor enum; expected one of them");
    return undefined;
  }
  return allowed.every(isNumber) ? "number" : "string";
}

/** Keys that limit only some types. */
const limits = {
  enum: ["string", "number", "integer"],
  minimum: ["number", "integer"],
  maximum: ["number", "integer"],
  minLength: ["string"],
  maxLength: ["string"],
  minItems: ["list"],
  maxItems: ["list"],
  items: ["list"],
  properties: ["object"],
} as const satisfies Partial<Record<keyof ParamObject, readonly ParamType[]>>;

const ranges = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
] as const;

function checkLimits(
  source: Holey<ParamObject>,
  type: ParamType,
  enumPlace: Place,
  place: Place,
  problems: ProblemList,
): void {
  for (const [key, types] of Object.entries(limits)) {
    if (!isMapping(source) || source[key as keyof typeof limits] === undefined) continue;
    if (types.some((one) => one === type)) continue;
    problems.atKey(inside(place, key), `${key} does not limit a ${type}; it goes with ${types.join(" or ")}`);
  }
  for (const [low, high] of ranges) {
    const [least, most] = [source[low], source[high]];
    if (least === undefined || most === undefined || least <= most) continue;
    problems.at(inside(place, low), `${low} ${least} is greater than ${high} ${most}`);
  }
  checkEnum(source.enum, type, enumPlace, problems);
}

function checkEnum(
  allowed: Holey<ParamObject>["enum"],
  type: ParamType,
  place: Place,
  problems: ProblemList,
): void {
  if (allowed === undefined || (type !== "string" && type !== "number" && type !== "integer")) return;
  const fits = type === "string" ? isText : isNumber;
  for (const [index, value] of allowed.entries()) {
    if (value === undefined) continue;
    const there = inside(place, index);
    if (!fits(value)) {
      const quote = type === "string" ? "; put it in quotes" : "";
      problems.at(
        there,
        `the values of an enum have one type; expected a ${type}, not ${JSON.stringify(value)}${quote}`,
      );
    } else if (type === "integer" && !Number.isInteger(value)) {
      problems.at(there, `expected a whole number, not ${value}`);
    } else if (allowed.indexOf(value) < index) {
      problems.at(there, `${JSON.stringify(value)} is in the list twice`);
    }
  }
}
