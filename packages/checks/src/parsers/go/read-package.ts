/** The tests of one Go package, from the lines above its result. */
import type { CheckFailure } from '@fettle/contract';
import { maxMessage } from '../../bounds.ts';
import type { Reading } from '../../parser.ts';

const ended = /^( *)--- (PASS|FAIL|SKIP): (\S+) \([\d.]+s\)$/;
const running = /^=== (?:RUN|CONT|NAME|PAUSE) +(\S+)$/;

interface Test {
  name: string;
  result: string;
  failure: CheckFailure;
}

export function readPackage(lines: string[], path: string): Required<Reading> {
  const tests = listTests(lines, path);
  const parents = new Set<string>();
  const failedParents = new Set<string>();
  for (const { name, result } of tests) {
    for (const parent of parentsOf(name)) {
      parents.add(parent);
      if (result === 'FAIL') failedParents.add(parent);
    }
  }
  // A test with subtests is counted by these, unless it failed by itself.
  const own = tests.filter(({ name, result }) =>
    result === 'FAIL' ? !failedParents.has(name) : !parents.has(name),
  );
  const failures = own.filter(({ result }) => result === 'FAIL').map(({ failure }) => failure);
  const count = (wanted: string) => own.filter(({ result }) => result === wanted).length;
  return { passed: count('PASS'), failed: failures.length, skipped: count('SKIP'), failures };
}

const maxDepth = 10;

function parentsOf(name: string): string[] {
  const parts = name.split('/', maxDepth);
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}

function listTests(lines: string[], path: string): Test[] {
  const tests: Test[] = [];
  /** With -v, the messages come before the result. */
  const logs = new Map<string, CheckFailure>();
  const logOf = (name: string) => {
    const known = logs.get(name) ?? { name, message: '' };
    logs.set(name, known);
    return known;
  };
  let open: CheckFailure | undefined;
  for (const line of lines) {
    const [, , result, name] = ended.exec(line) ?? [];
    const [, started] = running.exec(line) ?? [];
    if (result !== undefined && name !== undefined) {
      open = logOf(name);
      tests.push({ name, result, failure: open });
    } else if (started !== undefined) open = logOf(started);
    else if (open) readDetail(open, line);
  }
  for (const { failure } of tests) failure.name = `${path}.${failure.name}`;
  return tests;
}

function readDetail(failure: CheckFailure, line: string): void {
  if (/^(?:FAIL|PASS|exit status \d+)$/.test(line)) return;
  if (failure.message.length < maxMessage && line.trim() !== '') {
    failure.message += `${line.trim()}\n`;
  }
}
