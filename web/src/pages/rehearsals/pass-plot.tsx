import { lazy, Suspense } from "react";
import { share } from "../../../../src/sandtable/report/format.ts";
import type { Results } from "../../../../src/sandtable/report/results.ts";
import { interval } from "./pass-interval.ts";

const Chart = lazy(async () => ({ default: (await import("./pass-chart.tsx")).PassChart }));

/** One line of the plot: a rehearsal. */
export interface PassSeries {
  label: string;
  points: { k: number; value: number; low: number; high: number }[];
}

/** pass^k of a rehearsal with its intervals. */
export function seriesOf(results: Results, label: string): PassSeries {
  const graded = results.tasks.filter((task) => task.graded > 0).length;
  return {
    label,
    points: results.summary.passHatK.map((value, index) => ({
      k: index + 1,
      value,
      ...interval(value, graded),
    })),
  };
}

/** pass^k over k, with the agent that does nothing as a dashed line. The same numbers are there as a table. */
export function PassPlot({ series, doNothing }: { series: PassSeries[]; doNothing: number }) {
  if (series.every(({ points }) => points.length === 0)) {
    return <p className="soft">No trial was graded, so there is nothing to plot.</p>;
  }
  const spoken = series
    .map(
      ({ label, points }) =>
        `${label}: ${points.map(({ k, value }) => `pass^${k} ${share(value)}`).join(", ")}`,
    )
    .join(". ");
  return (
    <figure className="pass-plot">
      <div
        className="pass-plot-canvas"
        role="img"
        aria-label={`${spoken}. An agent that does nothing: ${share(doNothing)}.`}
      >
        <Suspense fallback={null}>
          <Chart series={series} doNothing={doNothing} />
        </Suspense>
      </div>
      <figcaption className="soft small">
        The chance that k trials of a task all pass, averaged over the tasks, with 95 % intervals (a task is
        the unit). Dashed: an agent that does nothing, {share(doNothing)}.
      </figcaption>
      <details className="small">
        <summary>As numbers</summary>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">k</th>
              {series.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from(
              { length: Math.max(...series.map(({ points }) => points.length)) },
              (_, index) => index,
            ).map((index) => (
              <tr key={index}>
                <th scope="row">{index + 1}</th>
                {series.map(({ label, points }) => (
                  <td key={label} className="number">
                    <Point point={points[index]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

function Point({ point }: { point: PassSeries["points"][number] | undefined }) {
  if (point === undefined) return "–";
  return (
    <>
      {share(point.value)}{" "}
      <span className="soft">
        ({point.low.toFixed(2)} to {point.high.toFixed(2)})
      </span>
    </>
  );
}
