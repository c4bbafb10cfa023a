/** Test programs of their own making, such as those that a Makefile builds: the counts that they print at the end. */
import type { CheckFailure } from '@fettle/contract';
import type { Parser } from '../../parser.ts';

type Word = 'passed' | 'failed' | 'skipped' | 'total';
type Counts = Partial<Record<Word, number>>;

/** A summary is one line with all counts, or one line for each count. */
const forms: { pattern: RegExp; words: Word[] }[] = [
  {
    pattern: /^(\d{1,9}) Tests (\d{1,9}) Failures (\d{1,9}) Ignored\b/,
    words: ['total', 'failed', 'skipped'],
  },
  {
    pattern: /^(\d{1,9}) tests?, (\d{1,9}) failures?(?:, (\d{1,9}) skipped)?$/,
    words: ['total', 'failed', 'skipped'],
  },
  {
    pattern:
      /^\W*(\d{1,9})(?: tests?)? (?:passed|ok)[,;/|] *(\d{1,9})(?: tests?)? failed\b(?:[,;/|] *(\d{1,9})(?: tests?)? skipped)?/i,
    words: ['passed', 'failed', 'skipped'],
  },
  {
    pattern:
      /^\W*(\d{1,9})(?: tests?)? failed[,;/|] *(\d{1,9})(?: tests?)? passed\b(?:[,;/|] *(\d{1,9})(?: tests?)? skipped)?/i,
    words: ['failed', 'passed', 'skipped'],
  },
  {
    pattern:
      /^\W*(?:(?:tests?|results?|summary)\W+)?(?:passed|pass): *(\d{1,9})[,;/|]? +(?:failed|fail): *(\d{1,9})\b/i,
    words: ['passed', 'failed'],
  },
  { pattern: /^(?:all )?(\d{1,9}) tests? passed[.!]?$/i, words: ['passed'] },
  { pattern: /^(\d{1,9})\/(\d{1,9}) tests? passed[.!]?$/i, words: ['passed', 'total'] },
];
/** Also the summary of automake: `# PASS:  3`. */
const single = /^(?:# )?(pass|passed|fail|failed|xfail|xpass|skip|skipped|error): +(\d{1,9})$/i;
const singleWords: [RegExp, Word][] = [
  [/^pass/i, 'passed'],
  [/^(?:fail|xpass|error)/i, 'failed'],
  [/^(?:skip|xfail)/i, 'skipped'],
];
const failed = [
  /^(?:FAIL|FAILED|ERROR): (?!\d+$)(\S.*)$/,
  /^\S+?:\d+:(\w+):FAIL(?::.*)?$/,
  /^ *(?:✗|✘|✖|not ok) +(?:\d+ +)?(?:- )?(\S.*)$/,
];

export const counted: Parser = {
  tool: 'counts',
  finds: 'tests',
  isFallback: true,
  read({ lines }) {
    const counts: Counts = {};
    let isCounted = false;
    for (const line of lines) {
      for (const [word, count] of Object.entries(readCounts(line)) as [Word, number][]) {
        counts[word] = (counts[word] ?? 0) + count;
        isCounted = true;
      }
    }
    if (!isCounted) return undefined;
    const { total, skipped = 0 } = counts;
    const fails = counts.failed ?? (total === undefined ? 0 : Math.max(0, total - (counts.passed ?? 0)));
    const passes = counts.passed ?? Math.max(0, (total ?? 0) - fails - skipped);
    const names = new Set(lines.flatMap((line) => nameOf(line) ?? []));
    const failures: CheckFailure[] = [...names].map((name) => ({ name, message: '' }));
    return { passed: passes, failed: fails, skipped, failures: fails === 0 ? [] : failures };
  },
};

function readCounts(line: string): Counts {
  if (line.length > maxSummary) return {};
  for (const { pattern, words } of forms) {
    const [found, ...counts] = pattern.exec(line) ?? [];
    if (found === undefined) continue;
    return Object.fromEntries(
      words.flatMap((word, at) => (counts[at] === undefined ? [] : [[word, Number(counts[at])]])),
    );
  }
  const [, name = '', count] = single.exec(line) ?? [];
  const word = singleWords.find(([pattern]) => pattern.test(name))?.[1];
  return word === undefined ? {} : { [word]: Number(count) };
}

const maxSummary = 200;

function nameOf(line: string): string | undefined {
  for (const pattern of failed) {
    const name = pattern.exec(line)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}
