import type { CheckFailure } from '@fettle/contract';
import { maxMessage } from '../../bounds.ts';
import type { Parser } from '../../parser.ts';

/** Older versions print `✖`. */
const failed = /^ {2,4}[✘✖] \[fail\]: (.+)$/;
const passed = /^ {2,4}[✔√] (?!\[)/;
const total =
  /^ {2}(\d{1,9}) (tests? passed|tests? failed|known failures?|tests? skipped|tests? todo|unhandled rejections?|uncaught exceptions?)$/;
const crash = /^ {2}(Uncaught exception|Unhandled rejection) in (\S+)$/;
const end = /^ {2}─+$/;
const maxTitles = 1_000;

export const ava: Parser = {
  tool: 'ava',
  finds: 'tests',
  read({ lines }) {
    const totals = lines.flatMap((line) => {
      const [, count, kind = ''] = total.exec(line) ?? [];
      return count === undefined ? [] : [{ count: Number(count), kind }];
    });
    const texts = lines.flatMap((line) => failed.exec(line)?.[1] ?? []);
    if (totals.length === 0 || !lines.some((line) => end.test(line))) return undefined;
    const sum = (pattern: RegExp) =>
      totals.filter(({ kind }) => pattern.test(kind)).reduce((all, { count }) => all + count, 0);
    return {
      // The summary counts passed tests only if none failed.
      passed: sum(/passed/) || lines.filter((line) => passed.test(line)).length,
      failed: sum(/tests? failed|unhandled|uncaught/),
      skipped: sum(/skipped|todo|known/),
      failures: listFailures(lines, texts.slice(0, maxTitles)),
    };
  },
};

/** Each failure has a section. Its title follows two empty lines, and a line above starts with the same words. */
function listFailures(lines: string[], texts: string[]): CheckFailure[] {
  const failures = new Map<string, CheckFailure>();
  let open: CheckFailure | undefined;
  let empty = 0;
  for (const line of lines) {
    const [, kind, file = ''] = crash.exec(line) ?? [];
    const title = line.trim();
    const isTitle = empty >= 2 && texts.some((text) => text === title || text.startsWith(`${title} `));
    if (kind !== undefined || (isTitle && title !== '')) {
      open = { ...(file && { file }), name: title, message: '' };
      failures.set(title, open);
    } else if (open) {
      readDetail(open, line);
    }
    if (end.test(line)) {
      empty = 2;
      open = undefined;
    } else if (title !== '') empty = 0;
    else empty += 1;
  }
  return failures.size > 0 ? [...failures.values()] : texts.map((name) => ({ name, message: '' }));
}

function readDetail(failure: CheckFailure, line: string): void {
  const isText = failure.message.length < maxMessage && !/^ +(?:at |\d+: )/.test(line);
  if (isText && line.trim() !== '') failure.message += `${line.trim()}\n`;
}
