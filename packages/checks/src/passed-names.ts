/** The names of the tests that passed, where the output contains them: only then is it known that a test still runs. */
import type { CheckFailure } from '@fettle/contract';
import { readJunitNames } from './junit/read-junit.ts';
import { makeRelative, plainLines } from './plain-lines.ts';
import type { CheckOutput } from './read-report.ts';

const maxNames = 50_000;

/** One pattern for each way to print a passed test. */
const passed = [
  // node:test, mocha, jest and vitest with all names, ava.
  /^ *[✔✓√] (?:\[pass\]: )?(\S.*)$/,
  /^\(pass\) (\S.*)$/,
  // The Test Anything Protocol.
  /^ *ok\b(?: \d+)?(?: -)? (\S.*)$/,
  /^test (\S.*) \.\.\. ok$/,
  /^ *--- PASS: (\S+) \(/,
  /^(\S+::\S.*?) PASSED\b/,
  /^PASSED (\S+::\S.*)$/,
  // unittest, deno.
  /^(\S+ \([\w.<>]+\)) \.\.\. ok$/,
  /^(\S.*) \.\.\. ok \([\d.]+m?s\)$/,
];
const time = /(?: \([\d.,]+ ?m?s\)| \[[\d.,]+ ?m?s\]| [\d.,]+ ?m?s)$/;
const idle = / # (?:skip|todo)\b/i;

export function readPassedNames({ output, reports = [], folder }: CheckOutput): string[] {
  const printed = plainLines(output, folder).flatMap((line) => {
    if (idle.test(line)) return [];
    const name = passed.map((pattern) => pattern.exec(line)?.[1]).find((found) => found !== undefined);
    return name === undefined ? [] : [name.replace(time, '')];
  });
  const reported = reports.flatMap(({ text }) => readJunitNames(makeRelative(text, folder)));
  return [...printed, ...reported].slice(0, maxNames);
}

/** How many of the passed tests may be the one that failed before. Suites and files are printed by some tools only. */
export function countPasses(passes: readonly string[], { file = '', name = '' }: CheckFailure): number {
  const own = new Set([
    name,
    `${file} > ${name}`,
    `${file}::${name.replaceAll('.', '::')}`,
    `${file}::${name}`,
  ]);
  return passes.filter((each) => own.has(each) || (each !== '' && endsWithName(name, each))).length;
}

/** The output of many tools indents a test below its suites, without their names. */
const endsWithName = (name: string, leaf: string) => name.endsWith(` > ${leaf}`);
