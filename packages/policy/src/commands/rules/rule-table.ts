/** Every rule, listed by hand. An invalid rule aborts the start: a broken gate must not look like a working one. */
import { readFlagTable } from '../flag-table.ts';
import { bun } from './bun.ts';
import { cargo } from './cargo.ts';
import { deno } from './deno.ts';
import { filePrograms } from './files.ts';
import { git } from './git.ts';
import { go } from './go.ts';
import { goTools } from './go-tools.ts';
import { javascriptTools } from './javascript-tools.ts';
import { make } from './make.ts';
import { node } from './node.ts';
import { npm } from './npm.ts';
import { npx } from './npx.ts';
import { pnpm } from './pnpm.ts';
import { proseTools } from './prose-tools.ts';
import { python } from './python.ts';
import { pdm, poetry, uv } from './python-runners.ts';
import { pythonTools } from './python-tools.ts';
import { readingPrograms } from './reading.ts';
import { refusedByName } from './refused-programs.ts';
import { type Form, operandKinds, type Program, type Refused } from './rule.ts';
import { searchPrograms } from './search.ts';
import { sed } from './sed.ts';
import { setupPrograms } from './set-up.ts';
import { shellPrograms } from './shell.ts';
import { taskRunners } from './task-runners.ts';
import { testRunners } from './test-runners.ts';
import { textPrograms } from './text.ts';
import { yarn } from './yarn.ts';

export const programs: Program[] = [
  git,
  npm,
  npx,
  pnpm,
  yarn,
  bun,
  deno,
  node,
  ...javascriptTools,
  ...testRunners,
  ...[...readingPrograms, ...filePrograms, ...searchPrograms, sed, ...textPrograms, ...shellPrograms].map(
    inScratch,
  ),
  python,
  ...pythonTools,
  uv,
  poetry,
  pdm,
  go,
  ...goTools,
  cargo,
  make,
  ...taskRunners,
  ...proseTools,
];

/** To move a file there would take it out of the workspace. */
function inScratch(program: Program): Program {
  return { ...program, usesScratch: !program.names.includes('mv') };
}

export type ProgramTable = ReadonlyMap<string, Program>;

const byName = (list: Program[]): ProgramTable =>
  new Map(list.flatMap((program) => program.names.map((name) => [name, program] as const)));

/** Rules for the agent. */
export const knownPrograms: ProgramTable = byName(programs);
/** Rules for the set-up commands of a repository: the same, plus installers. */
export const setupTable: ProgramTable = new Map([...knownPrograms, ...byName(setupPrograms)]);
export const refusedPrograms: ReadonlyMap<string, Refused> = new Map(refusedByName);

for (const program of [...programs, ...setupPrograms]) {
  for (const rule of [program, ...(program.subcommands ?? [])]) checkRule(rule);
}

function checkRule(rule: Form & Pick<Program, 'names' | 'reason' | 'match' | 'notMatch'>): void {
  const flags = (rule.flags ?? '').split(/\s+/).filter((flag) => flag !== '');
  const names = [...readFlagTable(rule.flags).keys()];
  const kinds = [...readFlagTable(rule.flags).values()].flatMap((value) => value?.kind ?? []);
  const faults = [
    rule.reason === '' && 'has no reason',
    rule.match.length === 0 && 'has no example that matches',
    rule.notMatch.length === 0 && 'has no example that does not',
    names.some((flag) => !/^-[^\s=[\]]+$/.test(flag)) && 'has a flag that is none',
    kinds.some((kind) => !Object.hasOwn(operandKinds, kind)) && 'has a value of a kind that is none',
    names.length < flags.length && 'lists a flag twice',
    (rule.operands ?? []).filter((slot) => slot.endsWith('...')).length > 1 && 'repeats two operands',
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw new Error(`the rule for "${rule.names.join(', ')}" ${faults.join(' and ')}`);
}
