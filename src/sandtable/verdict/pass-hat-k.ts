/**
 * pass^k: the chance that `k` trials drawn without replacement from `n`, of which `c` passed, all passed:
 * C(c,k) / C(n,k). Correctly rounded while the reduced fraction fits a double's integers, within 1e-12 beyond.
 * Throws RangeError unless 0 <= c <= n and 1 <= k <= n are integers.
 */
export function passHatK(n: number, c: number, k: number): number {
  if (![n, c, k].every(Number.isSafeInteger) || c < 0 || c > n || k < 1 || k > n)
    throw new RangeError(`pass^k is undefined for n=${n}, c=${c}, k=${k}`);
  return passHatKs(n, c, k)[k - 1] ?? 0;
}

/** pass^1 to pass^`upTo` (by default `n`) for `c` passed of `n` trials; empty when nothing was graded. */
export function passHatKs(n: number, c: number, upTo: number = n): number[] {
  const series: number[] = [];
  // The running product of (c-i)/(n-i) as a reduced fraction, so that 3/4 * 2/3 is exactly 1/2. What no longer fits
  // is folded into a double before it overflows.
  let folded = 1;
  let numerator = 1;
  let denominator = 1;
  for (let i = 0; i < upTo; i += 1) {
    if (i >= c) {
      series.push(0);
      continue;
    }
    const common = gcd(numerator * (c - i), denominator * (n - i));
    numerator = (numerator * (c - i)) / common;
    denominator = (denominator * (n - i)) / common;
    series.push(folded * (numerator / denominator));
    if (denominator > Number.MAX_SAFE_INTEGER / n) {
      folded *= numerator / denominator;
      numerator = 1;
      denominator = 1;
    }
  }
  return series;
}

function gcd(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}
