/**
 * How a person types the command again, from what npm tells of how it was started: in a clone `greenroom` itself is not
 * on the path.
 */
export function typedAs({ npm_lifecycle_event: event }: NodeJS.ProcessEnv): string {
  if (event === "greenroom") return "npm run greenroom --";
  return event === "npx" ? "npx greenroom" : "greenroom";
}
