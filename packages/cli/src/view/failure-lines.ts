/** Of what a test runner or a compiler prints, the lines that say what is wrong, whichever tool it was. */
const failure =
  /^\s*(✖|✗|✕|×|●|not ok\b|E {2,}\S)|\b(FAIL|FAILED|error TS\d+|panicked at)\b|^\s*[\w.]*(Error|Exception)\b|!==/;
const summary = /\b(\d+ (tests?|passed|passing|passes)|(tests?|pass(ed)?|fail(ed)?):? \d+)\b/i;
const heading = /:\s*$/;

export function failureLines(output: string): string[] {
  const seen = new Set<string>();
  return output.split('\n').filter((line) => {
    // The same test is often named twice, with another duration.
    const name = line.replace(/\([\d.]+ ?m?s\)/, '').trim();
    if (!failure.test(line) || heading.test(line) || seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

export function summaryLines(output: string): string[] {
  return output.split('\n').filter((line) => summary.test(line));
}
