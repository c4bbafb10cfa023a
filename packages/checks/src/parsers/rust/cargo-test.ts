import type { CheckFailure } from '@fettle/contract';
import { maxMessage } from '../../bounds.ts';
import type { Parser } from '../../parser.ts';

const total = /^test result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored;/;
const target = /^ +(?:Running (?:unittests )?(\S+)(?: \(.*\))?|Doc-tests (\S+))$/;
const failed = /^test (.+?)(?: - should panic)? \.\.\. FAILED(?: .*)?$/;
const section = /^---- (.+) stdout ----$/;
/** Up to Rust 1.72 the message and the place were on one line. */
const place = /(?:^thread .* panicked at |, )([^\s']+\.rs):(\d+):(\d+):?$/;
const nextest = /^ +(?:FAIL|SIGABRT|SIGSEGV|TIMEOUT) \[[^\]]*\] +(?:\([^)]*\) +)?(\S+(?: .+)?)$/;
const nextestTotal = /^ +Summary \[.*\] +\d+(?:\/\d+)? tests? run: (\d{1,9}) passed(.*)$/;

export const cargoTest: Parser = {
  tool: 'cargo test',
  finds: 'tests',
  read({ lines }) {
    const totals = lines.flatMap((line) => {
      const [, passed, fails, ignored] = total.exec(line) ?? [];
      return passed === undefined
        ? []
        : [{ passed: +passed, failed: Number(fails), skipped: Number(ignored) }];
    });
    if (totals.length === 0) return readNextest(lines);
    const sum = (key: 'passed' | 'failed' | 'skipped') => totals.reduce((all, each) => all + each[key], 0);
    return {
      passed: sum('passed'),
      failed: sum('failed'),
      skipped: sum('skipped'),
      failures: listFailures(lines),
    };
  },
};

/** The same name may exist in several binaries. */
function listFailures(lines: string[]): CheckFailure[] {
  const failures: CheckFailure[] = [];
  const byName = new Map<string, CheckFailure>();
  let binary: string | undefined;
  let open: CheckFailure | undefined;
  for (const line of lines) {
    const [, source, crate] = target.exec(line) ?? [];
    const [, name] = failed.exec(line) ?? [];
    const [, heading] = section.exec(line) ?? [];
    if (source !== undefined || crate !== undefined) {
      binary = source;
      byName.clear();
      open = undefined;
    } else if (name !== undefined) {
      // The line of a documentation test changes with the text above it.
      const failure = {
        ...(binary && { file: binary }),
        name: name.replace(/ \(line \d+\)/, ''),
        message: '',
      };
      byName.set(name, failure);
      failures.push(failure);
    } else if (heading !== undefined) open = byName.get(heading);
    else if (/^(?:failures:|test result: .*)$/.test(line)) open = undefined;
    else if (open) readDetail(open, line);
  }
  return failures;
}

function readDetail(failure: CheckFailure, line: string): void {
  const [, file, row, column] = place.exec(line) ?? [];
  if (row !== undefined && failure.line === undefined && file === failure.file)
    Object.assign(failure, { line: Number(row), column: Number(column) });
  if (/^(?:note: |stack backtrace:| +\d+: | +at )/.test(line)) return;
  const text = line.replace(/^thread '.*?'(?: \(\d+\))? panicked at (?:[^\s']+:\d+:\d+:$|')?/, '').trim();
  if (text !== '' && failure.message.length < maxMessage) failure.message += `${text}\n`;
}

function readNextest(lines: string[]) {
  const summary = lines.flatMap((line) => {
    const [, passed, rest = ''] = nextestTotal.exec(line) ?? [];
    return passed === undefined ? [] : [{ passed: Number(passed), rest }];
  })[0];
  if (summary === undefined) return undefined;
  const { passed, rest } = summary;
  const count = (word: string) => Number(new RegExp(`(\\d{1,9}) ${word}`).exec(rest.slice(0, 200))?.[1] ?? 0);
  const names = new Set(lines.flatMap((line) => nextest.exec(line)?.[1] ?? []));
  return {
    ...{ passed, failed: count('failed') + count('timed out'), skipped: count('skipped') },
    failures: [...names].map((name) => ({ name, message: '' })),
  };
}
