/**
 * Whether `hostname`, as `URL.hostname` spells it, is this machine: 127.0.0.0/8, `[::1]`, `localhost` or a name under
 * it. A trailing dot is ignored.
 */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/\.+$/, "").toLowerCase();
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "[::1]" ||
    /^127(\.\d{1,3}){3}$/.test(host)
  );
}

/**
 * Whether `hostname`, as `URL.hostname` spells it, is an IP address of the public internet; `null` when it is a name.
 * Private, shared, loopback, link-local, documentation, multicast and reserved ranges are not public, nor are the
 * IPv6 ranges that carry an IPv4 address inside (mapped, compatible, NAT64, 6to4, Teredo).
 */
export function isPublicIp(hostname: string): boolean | null {
  if (hostname.startsWith("[")) return isPublicIpv6(hostname.slice(1, -1));
  // A parsed URL has every numeric form (decimal, octal, hex, short) already written as four decimal numbers.
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(hostname)) return isPublicIpv4(hostname);
  return null;
}

/** Address and prefix length. */
const notPublicIpv4: [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

function isPublicIpv4(address: string): boolean {
  const value = ipv4ToNumber(address);
  return !notPublicIpv4.some(([base, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(value / size) === Math.floor(ipv4ToNumber(base) / size);
  });
}

function ipv4ToNumber(address: string): number {
  return address.split(".").reduce((value, part) => value * 256 + Number(part), 0);
}

/** Only 2000::/3 is routed on the public internet; these parts of it are not. */
function isPublicIpv6(address: string): boolean {
  const [first, second] = firstGroups(address);
  if (first < 0x2000 || first > 0x3fff) return false;
  // 2001::/23, which holds Teredo and the special-purpose blocks; 2001:db8::/32 documentation.
  if (first === 0x2001 && (second < 0x0200 || second === 0x0db8)) return false;
  // 2002::/16 6to4; 3fff::/20 documentation.
  if (first === 0x2002 || (first === 0x3fff && second < 0x1000)) return false;
  return true;
}

/** The first two 16-bit groups; a `::` before them stands for zeros. */
function firstGroups(address: string): [number, number] {
  const [head = ""] = address.split("::");
  const groups = head === "" ? [] : head.split(":").map((group) => Number.parseInt(group, 16));
  return [groups[0] ?? 0, groups[1] ?? 0];
}
