/** Vitest reporter whose one line closes the run: "12 passed, 0 failed, 1 skipped". */
export default class SummaryReporter {
  onTestRunEnd(modules, errors) {
    // Errors outside any test, and files that failed before they defined one, are failures too.
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      if (tests.length === 0 && module.state() === "failed") counts.failed += 1;
      for (const test of tests) {
        const { state } = test.result();
        counts[state in counts ? state : "skipped"] += 1;
      }
    }
    const line = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`;
    // Last of all, after what other reporters write when the run ends.
    process.on("exit", () => process.stdout.write(line));
  }
}
