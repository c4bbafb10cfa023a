import { describe, expect, test } from 'vitest';
import { judgeCommand } from '../judge-command.ts';
import type { Program } from './rule.ts';
import { knownPrograms, programs, refusedPrograms } from './rule-table.ts';
import { setupPrograms } from './set-up.ts';

const listRules = (table: Program[]) =>
  table.flatMap((program) => [
    { ...program, name: program.names.join(', ') },
    ...(program.subcommands ?? []).map((subcommand) => ({
      ...subcommand,
      name: `${program.names[0]} ${subcommand.names.join(', ')}`,
    })),
  ]);

const ofAgent = programs.flatMap(({ subcommands = [] }) => subcommands);
const added = listRules(setupPrograms).filter((rule) => !ofAgent.some(({ names }) => names === rule.names));

describe.each(added)('in set-up, $name: $reason', ({ match, notMatch }) => {
  const judge = (line: string) => judgeCommand(line, { purpose: 'set-up' });
  test.each(match)('allows %s', (line) => expect(judge(line)).toMatchObject({ decision: 'allow' }));
  test.each(notMatch)('refuses %s', (line) => expect(judge(line)).toMatchObject({ decision: 'deny' }));
});

test.each(setupPrograms.flatMap(({ names }) => names).filter((name) => !knownPrograms.has(name)))(
  'the agent does not get %s from set-up',
  (name) => expect(judgeCommand(`${name} install x`)).toMatchObject({ decision: 'deny' }),
);

describe.each(listRules(programs))('$name: $reason', ({ match, notMatch }) => {
  test.each(match)('allows %s', (line) => expect(judgeCommand(line)).toMatchObject({ decision: 'allow' }));
  test.each(notMatch)('refuses %s', (line) => expect(judgeCommand(line)).toMatchObject({ decision: 'deny' }));
});

test('every program has one rule, and none is allowed and refused', () => {
  const names = programs.flatMap((program) => program.names);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => refusedPrograms.has(name))).toEqual([]);
});

test.each(
  'git npm npx pnpm yarn node tsc eslint biome prettier vitest jest cat ls pwd mkdir rm cp mv find grep rg sed head tail wc sort uniq diff echo touch true python pytest go cargo make cd'.split(
    ' ',
  ),
)('there is a rule for %s', (name) => expect(knownPrograms.has(name)).toBe(true));
