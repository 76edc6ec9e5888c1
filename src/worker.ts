export { RehearsalObject } from "../objects/rehearsal.ts";
export { TrialObject } from "../objects/trial.ts";

export default {
  fetch: () => new Response("ok"),
};
