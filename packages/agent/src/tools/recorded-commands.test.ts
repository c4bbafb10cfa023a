/** Command lines recorded from real agents that the rules allow really run: their programs start, if the machine has them. */

import { readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { judgeCommand } from '@fettle/policy';
import { expect, test } from 'vitest';
import { openStage } from '../testing/stage.ts';

interface Line {
  id: string;
  input: string;
  expect: string;
}

/** These start slowly or need a network. hostile-commands.test.ts covers how they are called. */
const slow = /\b(npm|npx|pnpm|pnpx|yarn|bun|go|cargo|make|gmake|uv|poetry|tox|nox)\b|sleep [1-9]/;
/** The exit codes of a shell for a program that could not be started. */
const notStarted = [126, 127];

const lines = readFileSync(new URL('../../../../test/corpora/commands.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line)
  .filter(({ expect: decision, input }) => decision === 'allow' && !slow.test(input));

const { sandbox } = await openStage({ searchPath: ownPath() });
await sandbox.run({
  command: 'git init -q . && mkdir -p src tests docs && echo x > src/a.ts && echo "{}" > package.json',
});

/** PATH without the programs of node_modules. */
function ownPath(): string {
  const path = process.env.PATH ?? '';
  return path
    .split(delimiter)
    .filter((place) => !place.includes('node_modules'))
    .join(delimiter);
}

async function isThere(program: string): Promise<boolean> {
  const { exitCode } = await sandbox.run({ command: `command -v -- '${program}'` });
  return exitCode === 0;
}

test('recorded lines run, and every installed program starts', async () => {
  const faults: object[] = [];
  let ran = 0;
  for (const { id, input } of lines) {
    const verdict = judgeCommand(input);
    if (verdict.decision !== 'allow') throw new Error(`${id} is not allowed`);
    const programs = verdict.plan.flatMap(({ commands }) =>
      commands.flatMap(({ argv: [word] }) => (word && 'text' in word ? [word.text] : [])),
    );
    const here = await Promise.all(programs.filter((name) => name !== 'cd').map(isThere));
    if (here.includes(false)) continue;
    const result = await sandbox.run({ plan: verdict.plan, timeoutMs: 20_000, maxOutputBytes: 10_000 });
    ran += 1;
    const isFault = result.timedOut || notStarted.includes(result.exitCode ?? -1);
    if (isFault) faults.push({ id, input, exitCode: result.exitCode, output: result.output.slice(0, 300) });
  }
  expect(faults).toEqual([]);
  expect(ran).toBeGreaterThan(80);
});
