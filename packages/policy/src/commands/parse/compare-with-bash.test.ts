/** Where the plan says that a program gets these words, bash passes the same ones. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandPlan } from '@fettle/contract';
import { afterAll, expect, test } from 'vitest';
import { chooseSeed, createRandom } from '../testing/random.ts';
import { makeLine } from '../testing/random-lines.ts';
import { makeFolder, type Outcome, runInBash } from '../testing/run-lines.ts';
import { isCd, runPlan } from '../testing/run-plan.ts';
import { parseLine } from './parse-line.ts';

const LINES = 3_000;
const seed = chooseSeed();
const folder = mkdtempSync(join(tmpdir(), 'fettle-bash-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(`bash runs what a plan says (FETTLE_TEST_SEED=${seed})`, { timeout: 600_000 }, () => {
  const random = createRandom(seed);
  const understood = Array.from({ length: LINES }, () => makeLine(random)).flatMap((line) => {
    const parsed = parseLine(line);
    return parsed.ok && isComparable(parsed.plan) ? [{ line, plan: parsed.plan }] : [];
  });
  expect(understood.length).toBeGreaterThan(LINES / 6);

  const theirFolders = placeLines(join(folder, 'bash'), understood);
  const ourFolders = placeLines(join(folder, 'own'), understood);
  const lines = understood.map(({ line }, index) => ({ line, folder: theirFolders[index] ?? '' }));
  const outcomes = runInBash(folder, lines);
  const differences = understood.flatMap(({ line, plan }, index) => {
    const own = runPlan(ourFolders[index] ?? '', plan);
    const [ours, theirs] = [own, outcomes[index]].map((outcome) => order(plan, outcome));
    return JSON.stringify(ours) === JSON.stringify(theirs)
      ? []
      : [{ line, plan, ours: strip(ours), theirs: strip(theirs) }];
  });
  expect(differences).toEqual([]);
});

/** One folder for each line that writes, and one for all others. */
function placeLines(base: string, lines: { plan: CommandPlan }[]): string[] {
  const still = join(base, 'still');
  makeFolder(still);
  return lines.map(({ plan }, index) => {
    const redirects = plan.flatMap((step) => step.commands).flatMap((command) => command.redirects);
    if (redirects.every(({ kind }) => kind !== 'write')) return still;
    makeFolder(join(base, String(index)));
    return join(base, String(index));
  });
}

function strip(outcome: Outcome | undefined): unknown {
  return outcome && [outcome.calls, Object.entries(outcome.files).filter(([, text]) => text !== '')];
}

/** Calls only `show` and `cd`, stays in its folder, and does not depend on which command of a pipe is faster. */
function isComparable(plan: CommandPlan): boolean {
  return plan.every(({ commands }) => {
    const redirects = commands.flatMap((command) => command.redirects);
    const paths = redirects.flatMap((redirect) => ('path' in redirect ? [redirect.path] : []));
    const words = commands.flatMap((command) => command.argv);
    const isPlain = commands.every((command) => {
      const [name, ...rest] = command.argv;
      if (isCd(command)) {
        return commands.length === 1 && rest.length < 2 && redirects.length === 0 && rest.every(isFolder);
      }
      return name !== undefined && 'text' in name && name.text === 'show';
    });
    // What a pipe passes on is not part of the comparison.
    const takesInput = words.some((word) => 'text' in word && word.text === 'in');
    if (takesInput && commands.length > 1) return false;
    const isQuiet = commands.length === 1 || paths.length === 0 || words.every((word) => 'text' in word);
    const isInside = paths.every((path) => path === '/dev/null' || /^(?!.*\.\.)[^/]/.test(path));
    return isPlain && isQuiet && isInside && new Set(paths).size === paths.length;
  });
}

function isFolder(word: CommandPlan[number]['commands'][number]['argv'][number]): boolean {
  return 'text' in word && /^[a-z./]+$/.test(word.text) && !word.text.includes('..');
}

/** The commands of a pipe run at the same time, so their order is undefined. */
function order(plan: CommandPlan, outcome: Outcome | undefined): Outcome | undefined {
  const hasPipe = plan.some(({ commands }) => commands.length > 1);
  return outcome && hasPipe ? { ...outcome, calls: outcome.calls.toSorted() } : outcome;
}
