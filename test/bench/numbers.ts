/** The middle value; of an even number of values, the lower of the two in the middle. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) throw new Error("no values to take the median of");
  return middle;
}

/** A measured quantity: its median and how far the rounds lay apart. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

export function spread(values: number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** Slope of the straight line closest to the points, by least squares. */
export function slope(points: { x: number; y: number }[]): number {
  const meanX = points.reduce((sum, point) => sum + point.x, 0) / points.length;
  const meanY = points.reduce((sum, point) => sum + point.y, 0) / points.length;
  const over = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0);
  return over / points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
}
