/** Seconds since 1970. Agents have no date of their own, and pickers only sort by it. */
const created = 1_735_689_600;

/** One agent as this wire's catalogue lists it. */
export function openaiModel(name: string) {
  return { id: name, object: "model" as const, created, owned_by: "stackbone" };
}

/** The catalogue of agents. */
export function openaiModels(names: readonly string[]) {
  return { object: "list" as const, data: names.map(openaiModel) };
}
