export * from "zod";

// What these names stand for would bring all of zod's translations along, and nothing here asks for them.
/** @public */
export const core = {};
/** @public */
export const locales = {};
/** @public */
export const z = {};
