import type { Reporter, TestModule } from "vitest/node";

/** Ends a run with one plain line, `N passed, N failed`, for whoever reads only the last line. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0;
    // A file that does not load has no tests to fail, yet it is a failure.
    let failed = unhandledErrors.length;
    let skipped = 0;
    for (const module of modules) {
      if (module.errors().length > 0) failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        else if (state === "failed") failed += 1;
        else skipped += 1;
      }
    }
    // After the other reporters' summaries.
    setImmediate(() => {
      process.stdout.write(
        `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`,
      );
    });
  }
}
