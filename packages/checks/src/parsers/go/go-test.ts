import type { CheckFailure } from '@fettle/contract';
import { maxMessage } from '../../bounds.ts';
import type { Parser } from '../../parser.ts';
import { readPackage } from './read-package.ts';

/** Each package ends with one of these lines. */
const packageEnd = /^(ok {2}|FAIL)\t(\S+)(?:\t(?:[\d.]+s|\(cached\))| (\[[\w ]+\]))(.*)$/;
const buildHeading = /^# (\S+)(?: \[.*\])?$/;

export const goTest: Parser = {
  tool: 'go test',
  finds: 'tests',
  read({ lines }) {
    const reading = { passed: 0, failed: 0, skipped: 0, failures: [] as CheckFailure[] };
    let isGo = false;
    let body: string[] = [];
    const builds = readBuilds(lines);
    for (const line of lines) {
      const [, result, path = '', state = '', rest = ''] = packageEnd.exec(line) ?? [];
      const isEmpty = /^\?\s+\S+\s+\[no test files\]$/.test(line);
      isGo ||= result !== undefined || isEmpty;
      if (result === undefined) {
        if (isEmpty) body = [];
        else body.push(line);
        continue;
      }
      const { passed, failed, skipped, failures } = readPackage(body, path);
      const hasNames = passed + failed + skipped > 0;
      reading.passed += passed;
      reading.failed += failed;
      reading.skipped += skipped;
      reading.failures.push(...failures);
      // Without -v, go names neither passed nor skipped tests: the package counts as one test.
      if (result !== 'FAIL' && !hasNames && !/\[no tests to run\]/.test(`${state}${rest}`))
        reading.passed += 1;
      if (result === 'FAIL' && failed === 0) {
        reading.failed += 1;
        const message = builds.get(path) ?? describeEnd(body);
        reading.failures.push({
          name: path,
          message: state === '' ? message : `${state.slice(1, -1)}\n${message}`,
        });
      }
      body = [];
    }
    return isGo ? reading : undefined;
  },
};

/** What the compiler says about each package that it could not build. */
function readBuilds(lines: string[]): Map<string, string> {
  const builds = new Map<string, string>();
  let path: string | undefined;
  for (const line of lines) {
    const [, heading] = buildHeading.exec(line) ?? [];
    if (heading !== undefined) path = heading;
    else if (!/^(?:\S+\.go:\d+:\d+: |\t|too many errors|vet: )/.test(line)) path = undefined;
    else if (path !== undefined && (builds.get(path)?.length ?? 0) < maxMessage)
      builds.set(path, `${builds.get(path) ?? ''}${line}\n`);
  }
  return builds;
}

/** A package without a failed test panicked, exited or ran out of time. */
function describeEnd(body: string[]): string {
  const panic = body.findLastIndex((line) => /^(?:panic|fatal error): /.test(line));
  const from = panic === -1 ? Math.max(0, body.length - 5) : panic;
  return body
    .slice(from, from + 5)
    .join('\n')
    .slice(0, maxMessage);
}
