import { expect, it } from "vitest";
import { guardUrl } from "../../../src/http/guard-url.ts";
import { deployedCases } from "../../unit/http/guard-cases.ts";

// The guard judges what the URL parser makes of an address, and this is the parser that runs in production.
it.each(deployedCases)("judges %s as it does elsewhere", (url, reason) => {
  const refusal = guardUrl(url, { loopbackAllowed: false, allowedHosts: [] });
  if (reason === null) expect(refusal).toBeNull();
  else expect(refusal).toMatch(reason);
});
