import type { CheckFailure } from '@fettle/contract';
import type { Parser } from '../parser.ts';

const checked = /^Checked \d+ files? in /;
const ends = ['No files were processed in the specified paths.', 'Biome exited because '];
const total = /^Found (\d+) (error|warning)s?\.$/;
const place = /:(\d+):(\d+)$/;
const marks = new Map([
  ['×', 'error'],
  ['✖', 'error'],
  ['!', 'warning'],
  ['⚠', 'warning'],
]);

export const biome: Parser = {
  tool: 'biome',
  finds: 'problems',
  read({ lines }) {
    const isOwn = (line: string) => checked.test(line) || ends.some((end) => line.includes(end));
    if (!lines.some(isOwn)) return undefined;
    const all = lines.flatMap((line, index) => readHeading(lines, line, index) ?? []);
    const errors = countFound(lines, 'error');
    // Warnings can fail a run too (--error-on-warnings). They are reported if there is no error.
    const wanted = all.some(({ severity }) => severity === 'error') ? 'error' : 'warning';
    const failures = all.filter(({ severity }) => severity === wanted).map(({ failure }) => failure);
    // Biome prints the first twenty problems and the total count.
    return { failed: Math.max(failures.length, errors), failures };
  },
};

function countFound(lines: string[], wanted: string): number {
  return lines.reduce((sum, line) => {
    const [, count, severity] = total.exec(line) ?? [];
    return severity === wanted ? sum + Number(count) : sum;
  }, 0);
}

/** `a.js:2:7 lint/suspicious/noDoubleEquals  FIXABLE  ━━━`, an empty line, then the symbol of the severity and a sentence. */
function readHeading(
  lines: string[],
  line: string,
  index: number,
): { severity: string; failure: CheckFailure } | undefined {
  const rule = line.indexOf(' ━');
  if (rule === -1 || line.startsWith(' ')) return undefined;
  const heading = line
    .slice(0, rule)
    .replace(/ FIXABLE *$/, '')
    .trim();
  const gap = heading.lastIndexOf(' ');
  // A heading without a position only says that the run failed.
  if (gap === -1) return undefined;
  const [mark = '', ...rest] = (lines[index + 2] ?? '').trim().split(' ');
  const severity = marks.get(mark);
  if (severity === undefined) return undefined;
  const where = heading.slice(0, gap);
  const found = place.exec(where);
  const file = found ? where.slice(0, found.index) : where;
  const position = found ? { line: Number(found[1]), column: Number(found[2]) } : {};
  return {
    severity,
    failure: { file, ...position, rule: heading.slice(gap + 1), message: rest.join(' ') },
  };
}
