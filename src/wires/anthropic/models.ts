import * as z from "zod";
import { HttpError } from "../../http/errors.ts";

/** Agents have no date of their own, and pickers only sort by it. */
const createdAt = "2025-01-01T00:00:00Z";

const maxPage = 1_000;

/** Which page of the catalogue is asked for. */
export const modelsQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(maxPage).optional(),
  after_id: z.string().optional(),
  before_id: z.string().optional(),
});

type ModelsQuery = z.output<typeof modelsQuerySchema>;

/** As many as the vendor's own catalogue gives when nothing is said. */
const defaultPage = 20;

/** One agent as this wire's catalogue lists it. */
export function anthropicModel(name: string) {
  return { type: "model" as const, id: name, display_name: name, created_at: createdAt };
}

/**
 * A page of the catalogue: the agents after one, or the last ones before one. Throws `HttpError` 400 for a name that is
 * not in it, or both bounds at once.
 */
export function anthropicModels(names: readonly string[], query: ModelsQuery) {
  const { limit = defaultPage, after_id: after, before_id: before } = query;
  if (after !== undefined && before !== undefined) throw refused("before_id", "cannot be used with after_id");
  const first = after === undefined ? 0 : placeOf(names, after, "after_id") + 1;
  const last = before === undefined ? names.length : placeOf(names, before, "before_id");
  const range = names.slice(first, last);
  const page = before === undefined ? range.slice(0, limit) : range.slice(-limit);
  return {
    data: page.map(anthropicModel),
    has_more: page.length < range.length,
    first_id: page[0] ?? null,
    last_id: page.at(-1) ?? null,
  };
}

function placeOf(names: readonly string[], name: string, param: string): number {
  const place = names.indexOf(name);
  if (place === -1) throw refused(param, "names no model of this catalogue");
  return place;
}

function refused(param: string, must: string): HttpError {
  return new HttpError("invalid_request", `${param} ${must}.`, { details: { param } });
}
