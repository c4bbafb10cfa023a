/** unittest of Python, and tools that print the same (Django, Twisted's trial). */
import type { CheckFailure } from '@fettle/contract';
import { maxMessage } from '../../bounds.ts';
import type { Parser } from '../../parser.ts';

const ran = /^Ran (\d{1,9}) tests? in [\d.]+s$/;
const result = /^(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$/;
const heading = /^(?:FAIL|ERROR): (.+)$/;
const place = /^ {2}File "([^"]+)", line (\d+)/;

export const unittest: Parser = {
  tool: 'unittest',
  finds: 'tests',
  read({ lines }) {
    const tests = lines.flatMap((line) => ran.exec(line)?.[1] ?? []);
    if (tests.length === 0) return undefined;
    const counts = new Map<string, number>();
    for (const line of lines)
      for (const [, word = '', count] of (result.exec(line)?.[1] ?? '').matchAll(/([a-z ]+)=(\d{1,9})/g))
        counts.set(word.trim(), (counts.get(word.trim()) ?? 0) + Number(count));
    const sum = (...words: string[]) => words.reduce((all, word) => all + (counts.get(word) ?? 0), 0);
    const failures = listFailures(lines);
    const failed = sum('failures', 'errors', 'unexpected successes');
    const skipped = sum('skipped', 'expected failures');
    // One test can fail several times: each subtest is a failure of its own.
    const ids = new Set(failures.map(({ name = '' }) => name.replace(/ [([].*$/, '')));
    const failedTests = failures.length < failed ? failed : Math.min(failed, ids.size);
    const all = tests.reduce((total, count) => total + Number(count), 0);
    return { passed: Math.max(0, all - failedTests - skipped), failed, skipped, failures };
  },
};

function listFailures(lines: string[]): CheckFailure[] {
  const failures: CheckFailure[] = [];
  let open: CheckFailure | undefined;
  let before = '';
  let at = '';
  for (const line of lines) {
    const [, title] = before.startsWith('=====') ? (heading.exec(line) ?? []) : [];
    const [, file = '', row] = place.exec(line) ?? [];
    before = line;
    if (title !== undefined) {
      open = { ...splitTitle(title), message: '' };
      at = '';
      failures.push(open);
    } else if (ran.test(line)) {
      open = undefined;
    } else if (open && row !== undefined) {
      // The last position is the closest one to the fault.
      at = `at ${file}:${row}\n`;
      open.message = at;
    } else if (open && /^\S/.test(line) && !/^(?:-{5}|={5}|Traceback )/.test(line)) {
      if (open.message.length < maxMessage)
        open.message = `${open.message.slice(0, -at.length || undefined)}${line}\n${at}`;
    }
  }
  return failures;
}

/** `test_in (tests.test_a.TestS.test_in) (i=0)`. Before Python 3.11 the name is not repeated in the parentheses. */
function splitTitle(title: string): { name: string } {
  const [, test = title, path = '', rest = ''] = /^(\S+) \(([\w.<>]+)\)(.*)$/.exec(title) ?? [];
  const owner = path.endsWith(`.${test}`) ? path.slice(0, -test.length - 1) : path;
  const isLoader = owner.startsWith('unittest.loader.');
  return { name: `${owner === '' || isLoader ? '' : `${owner}.`}${test}${rest}` };
}
