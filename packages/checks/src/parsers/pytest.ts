import type { CheckFailure } from '@fettle/contract';
import { maxMessage } from '../bounds.ts';
import { countWords, type Parser } from '../parser.ts';

const summary = /^=* ?(\d+ [a-z]+(?:, \d+ [a-z]+)*|no tests ran) in [\d.]+s\b/;
const listed = /^(?:FAILED|ERROR) (\S.*)$/;
const fill = /^_{3,} | _{3,}$/g;
const errorHeading = /^ERROR (?:at \w+ of|collecting) /;
const place = /^([^\s:]+):(\d+): /;
const errorLine = /^E {3,}(.*)$/;

export const pytest: Parser = {
  tool: 'pytest',
  finds: 'tests',
  read({ lines }) {
    const totals = lines.flatMap((line) => summary.exec(line)?.[1] ?? []);
    if (totals.length === 0) return undefined;
    const counts = countWords(totals.join('\n'));
    const sum = (...words: string[]) => words.reduce((all, word) => all + (counts.get(word) ?? 0), 0);
    const sections = listSections(lines);
    const byName = Map.groupBy(sections, ({ name = '' }) => name);
    const failures = lines.flatMap((line) => {
      const [, text] = listed.exec(line) ?? [];
      return text === undefined ? [] : [withDetails(splitListed(text), byName)];
    });
    return {
      passed: sum('passed', 'xpassed'),
      failed: sum('failed', 'error', 'errors'),
      skipped: sum('skipped', 'xfailed'),
      // The list at the end can be switched off.
      failures: failures.length > 0 ? failures : sections,
    };
  },
};

/** `tests/test_a.py::TestS::test_in[a - b] - AssertionError: …` */
function splitListed(text: string): CheckFailure {
  const parameters = text.indexOf('[');
  const from = parameters === -1 ? 0 : Math.max(0, text.indexOf('] - ', parameters));
  const gap = text.indexOf(' - ', from);
  const id = gap === -1 ? text : text.slice(0, gap);
  const [file = '', ...names] = id.split('::');
  const message = gap === -1 ? '' : text.slice(gap + 3);
  return { file, ...(names.length > 0 && { name: names.join('.') }), message };
}

/** The sections below `____ TestS.test_in ____`, each with its last position, where the failure happened. */
function listSections(lines: string[]): CheckFailure[] {
  const sections: CheckFailure[] = [];
  let open: CheckFailure | undefined;
  for (const line of lines) {
    const name = readHeading(line);
    const [, file = '', row] = place.exec(line) ?? [];
    const [, text] = errorLine.exec(line) ?? [];
    if (name !== undefined) {
      open = { name, message: '' };
      sections.push(open);
    } else if (line.startsWith('===')) {
      open = undefined;
    } else if (open && row !== undefined) {
      Object.assign(open, { file, line: Number(row) });
    } else if (open && text !== undefined && open.message.length < maxMessage) {
      open.message += `${text}\n`;
    }
  }
  return sections;
}

function readHeading(line: string): string | undefined {
  if (!line.startsWith('___') || !line.endsWith('___')) return undefined;
  return line.replaceAll(fill, '').replace(errorHeading, '');
}

function withDetails(failure: CheckFailure, sections: Map<string, CheckFailure[]>): CheckFailure {
  const own = (sections.get(failure.name ?? failure.file ?? '') ?? []).slice(0, 20);
  const section = own.find(({ file }) => file === failure.file) ?? (own.length === 1 ? own[0] : undefined);
  if (!section) return failure;
  const isHere = section.line !== undefined && section.file === failure.file;
  return {
    ...failure,
    ...(isHere && { line: section.line }),
    message: section.message || failure.message,
  };
}
