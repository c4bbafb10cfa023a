/** Finds the lines of a test runner's or compiler's output that report failures, for any tool. */
const failure =
  /^\s*(✖|✗|✕|×|●|not ok\b|E {2,}\S)|\b(FAIL|FAILED|error TS\d+|panicked at)\b|^\s*[\w.]*(Error|Exception)\b|!==/;
const summary = /\b(\d+ (tests?|passed|passing|passes)|(tests?|pass(ed)?|fail(ed)?):? \d+)\b/i;
const heading = /:\s*$/;

export function failureLines(output: string): string[] {
  const seen = new Set<string>();
  return output.split('\n').filter((line) => {
    // The same test is often printed twice, with different durations.
    const name = line.replace(/\([\d.]+ ?m?s\)/, '').trim();
    if (!failure.test(line) || heading.test(line) || seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

export function summaryLines(output: string): string[] {
  return output.split('\n').filter((line) => summary.test(line));
}
