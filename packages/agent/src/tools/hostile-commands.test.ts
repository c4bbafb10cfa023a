/**
 * Whatever command line the model sends, a rule allowed every argv that ran, and the part names the rule. All programs
 * are replaced by scripts that log their arguments, so hostile lines do no harm.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Event } from '@fettle/contract';
import { judgeCommand } from '@fettle/policy';
import { afterAll, expect, test } from 'vitest';
import { runTurns } from '../loop/run-turns.ts';
import { makeShims } from '../testing/shims.ts';
import { callOf, openStage, scriptedModel } from '../testing/stage.ts';

const corpus = readFileSync(new URL('../../../../test/corpora/commands.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { input: string }).input)
  .filter((line) => line !== '' && line.length <= 10_000);
const words = [...new Set(corpus.flatMap((line) => line.split(/\s+/)))];
const programs = [...new Set(words.filter((word) => /^[\w.[:-]+$/.test(word) && !word.startsWith('-')))];
const seed = Number(process.env.FETTLE_TEST_SEED ?? 20_261_117);
const mutated = 700;

const place = mkdtempSync(join(tmpdir(), 'whatever-'));
const shims = makeShims(place, programs);
afterAll(() => rmSync(place, { recursive: true, force: true }));
const stage = await openStage({ searchPath: shims.searchPath });
for (const path of ['src/a.ts', 'src/b.test.ts', '-rf', 'package.json', '.env', 'docs/a b.md'])
  await stage.sandbox.writeFile(path, Buffer.from('x\n'));

/** A random number generator with a seed. */
function createDice(start: number) {
  let state = start;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function mutate(line: string, dice: (below: number) => number): string {
  const parts = line.split(' ');
  const at = dice(parts.length);
  const pick = () => words[dice(words.length)] ?? '';
  const joiner = [' && ', ' | ', '; ', ' || ', ' > ', '\n', ' & '][dice(7)];
  switch (dice(4)) {
    case 0:
      return parts.toSpliced(at, 0, pick()).join(' ');
    case 1:
      return parts.toSpliced(at, 1, pick()).join(' ');
    case 2:
      return `${line}${joiner}${corpus[dice(corpus.length)]}`;
    default:
      return line.slice(0, dice(line.length + 1)) + line.slice(dice(line.length + 1));
  }
}

const quote = (word: string) => `'${word.replaceAll("'", `'"'"'`)}'`;
const anyPath = () => ({ ok: true as const });

/** Judges what ran once more, as plain words. Paths are not judged, because the working folder is unknown here. */
function findFaults(argv: string[], rules: string[]): string[] {
  const line = argv.map(quote).join(' ');
  const plain = judgeCommand(line, { judgePath: anyPath });
  // A here-document is not part of what was logged.
  const again = plain.decision === 'deny' ? judgeCommand(`${line} <<'E'\nE`, { judgePath: anyPath }) : plain;
  if (again.decision === 'deny') return [`no rule allows it: ${again.reason} (${again.rule})`];
  return again.rules.filter((rule) => !rules.includes(rule)).map((rule) => `${rule} is not on the part`);
}

test(`recorded and mutated lines run only what a rule allows (FETTLE_TEST_SEED=${seed})`, async () => {
  const dice = createDice(seed);
  const lines = [
    ...corpus,
    ...Array.from({ length: mutated }, () => mutate(corpus[dice(corpus.length)] ?? '', dice)),
  ].filter((line) => line !== '' && line.length <= 10_000);
  const faults: object[] = [];
  let allowed = 0;
  let ranPrograms = 0;
  for (const [index, command] of lines.entries()) {
    const { part, ran } = await send(command, index);
    if (part.status === 'denied') {
      if (ran.length > 0 || part.denials?.length !== 1) faults.push({ command, part, ran });
      continue;
    }
    allowed += 1;
    ranPrograms += ran.length;
    for (const argv of ran) {
      const found = findFaults(argv, part.rules ?? []);
      if (found.length > 0) faults.push({ command, argv, rules: part.rules, found });
    }
  }
  expect(faults).toEqual([]);
  // Otherwise the test proved nothing.
  expect(allowed).toBeGreaterThan(200);
  expect(ranPrograms).toBeGreaterThan(200);
});

/** Sends one command line through the whole loop. */
async function send(command: string, index: number) {
  const { model } = scriptedModel([[callOf(`c${index}`, 'run_command', { command, timeoutSeconds: 5 })]]);
  const { options, events } = stage.prepare(model);
  await runTurns({ userMessage: 'go' }, options);
  const [part] = events.flatMap((event: Event) =>
    event.type === 'part.finished' && event.part.kind === 'tool' ? [event.part] : [],
  );
  if (part === undefined) throw new Error(`no part for ${command}`);
  return { part, ran: shims.take() };
}
