import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { guardUrl } from "../../../src/http/guard-url.ts";
import { isPublicIp } from "../../../src/http/host.ts";
import { deployedCases } from "./guard-cases.ts";

const deployed = { loopbackAllowed: false, allowedHosts: [] };
const local = { loopbackAllowed: true, allowedHosts: [] };

describe("guardUrl on a deployed Worker", () => {
  it.each(deployedCases)("%s", (url, reason) => {
    const refusal = guardUrl(url, deployed);
    if (reason === null) expect(refusal).toBeNull();
    else expect(refusal).toMatch(reason);
  });
});

describe("guardUrl on a loopback Worker", () => {
  it.each([
    "http://127.0.0.1:3000/step",
    "http://localhost:80/step",
    "http://localhost.:3000/step",
    "http://[::1]:3000/step",
    "http://127.1:3000/",
    "http://agent.localhost:3000/",
    "https://localhost/",
  ])("lets %s through", (url) => {
    expect(guardUrl(url, local)).toBeNull();
  });

  it.each([
    ["http://0.0.0.0:3000/", /not an https address/],
    ["https://0.0.0.0:3000/", /private or reserved/],
    ["https://[::]:3000/", /private or reserved/],
    ["https://[::ffff:127.0.0.1]:3000/", /private or reserved/],
    ["https://192.168.0.1/", /private or reserved/],
    ["http://agent.example.com/", /not an https address/],
    ["http://user@localhost:3000/", /user name or password/],
  ])("still refuses %s", (url, reason) => {
    expect(guardUrl(url, local)).toMatch(reason);
  });
});

describe("guardUrl with listed hosts", () => {
  const policy = {
    loopbackAllowed: false,
    allowedHosts: ["agent.internal", "10.0.0.5:3000", "plain.example.com:80", "[fd00::5]"],
  };

  it.each([
    "http://agent.internal/step",
    "http://agent.internal:9000/step",
    "https://agent.internal/step",
    "http://10.0.0.5:3000/step",
    "http://0xa.5:3000/step",
    "http://plain.example.com/step",
    "http://[fd00:0::5]:8080/step",
  ])("lets %s through", (url) => {
    expect(guardUrl(url, policy)).toBeNull();
  });

  it.each([
    ["http://10.0.0.5/step", /not an https address/],
    ["https://10.0.0.5:3001/step", /private or reserved/],
    ["https://other.agent.internal/", /private host name/],
    ["http://plain.example.com:8080/", /not an https address/],
    ["http://user:pass@agent.internal/", /user name or password/],
    ["ftp://agent.internal/", /not an https address/],
  ])("still refuses %s", (url, reason) => {
    expect(guardUrl(url, policy)).toMatch(reason);
  });
});

it("judges every spelling of an IPv4 address alike", () => {
  fc.assert(
    fc.property(fc.nat(0xffffffff), (value) => {
      const parts = [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);
      const dotted = `https://${parts.join(".")}/`;
      const expected = guardUrl(dotted, deployed);
      for (const host of [
        String(value),
        `0x${value.toString(16)}`,
        `0${value.toString(8)}`,
        parts.map((part) => `0x${part.toString(16)}`).join("."),
        parts.map((part) => `0${part.toString(8)}`).join("."),
        `${parts[0]}.${value % 0x1000000}`,
        `${parts[0]}.${parts[1]}.${value % 0x10000}`,
      ]) {
        expect(guardUrl(`https://${host}/`, deployed)).toBe(expected);
      }
    }),
  );
});

it("takes no IPv6 address that carries an IPv4 one for public", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      for (const host of [`[::ffff:${address}]`, `[::${address}]`, `[64:ff9b::${address}]`]) {
        expect(isPublicIp(new URL(`https://${host}/`).hostname)).toBe(false);
      }
    }),
  );
});
