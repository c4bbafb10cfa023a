/** Property: for any input, every command that would run was allowed by a named rule. */
import { type CommandPlan, commandPlanSchema } from '@fettle/contract';
import { expect, test } from 'vitest';
import { checkCommand } from './check-command.ts';
import { judgeByDefault as judgePath } from './default-path-judge.ts';
import { judgeCommand } from './judge-command.ts';
import { resolvePath } from './judge-operand-path.ts';
import type { PlanWord } from './parse/resolve-word.ts';
import { PROGRAM_FILE } from './program-file.ts';
import { knownPrograms } from './rules/rule-table.ts';
import { readCommandCorpus } from './testing/corpus.ts';
import { chooseSeed, createRandom, type Random } from './testing/random.ts';

const LINES = 20_000;
const seed = chooseSeed();
const corpus = readCommandCorpus().map(({ input }) => input);
const words = [...new Set(corpus.flatMap((line) => line.split(/\s+/)))];
const characters = [...'abz019 \t\n\\\'"`$(){}[]<>|&;*?!#~=:,./-_@%^+\0\x1b\u00a0\u200bé😀'];
/** Programs whose non-flag words are all paths. */
const pathsOnly = new Set(['cat', 'rm', 'cp', 'mv', 'touch', 'mkdir', 'wc', 'tee', 'rmdir']);
/** Flags of these programs that no rule allows. */
const never: Record<string, RegExp> = {
  find: /^-(exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls|files0-from)$/,
  git: /^(--exec-path.*|--ext-diff|--textconv|--output=.*|--upload-pack.*|--open-files-in-pager.*|--no-verify|--hard)$/,
  node: /^(--interactive|--inspect.*|--env-file.*)$/,
  sort: /^--(compress-program|files0-from|temporary-directory)(=|$)/,
  rg: /^--(pre|hostname-bin|search-zip)(=|$)/,
  npm: /^(--script-shell.*|--userconfig.*)$/,
};

test(`of mutated and random lines (FETTLE_TEST_SEED=${seed})`, () => {
  const random = createRandom(seed);
  const allowed = Array.from({ length: LINES }, () => makeLine(random)).flatMap((line) => {
    const verdict = judgeCommand(line, { judgePath });
    return verdict.decision === 'allow' ? [{ line, ...verdict }] : [];
  });
  expect(allowed.length).toBeGreaterThan(LINES / 100);
  expect(
    allowed.flatMap(({ line, plan, rules }) => findFaults(plan, rules).map((fault) => ({ line, fault }))),
  ).toEqual([]);
});

function findFaults(plan: Parameters<typeof commandPlanSchema.parse>[0], rules: string[]): string[] {
  const parsed = commandPlanSchema.safeParse(plan);
  if (!parsed.success) return [`not a plan: ${parsed.error.message}`];
  const commands = parsed.data.flatMap((step) => step.commands);
  const checked = commands.map(({ argv: words, redirects }) => {
    const argv = words.map(toWritten);
    const text = redirects.findLast(({ kind }) => kind === 'text');
    const outcome = checkCommand(argv, {
      programs: knownPrograms,
      judgePathFrom: () => () => undefined,
      place: () => true,
      isInScratch: false,
      input: text?.kind === 'text' ? text.text : undefined,
      askLayers: () => undefined,
    });
    return outcome.ok ? outcome.rules : [`refused: ${outcome.reason}`];
  });
  const goes = rules.includes('cd');
  return [
    ...(JSON.stringify(checked.flat()) === JSON.stringify(rules) ? [] : [`rules ${rules}, but ${checked}`]),
    ...rules
      .filter((rule) => rule !== PROGRAM_FILE && !knownPrograms.has(rule.split(' ')[0] ?? ''))
      .map((rule) => `no rule: ${rule}`),
    ...commands.flatMap(({ argv }) => findBadWords(argv.map(toWritten), goes)),
  ];
}

type Word = CommandPlan[number]['commands'][number]['argv'][number];

function toWritten(word: Word): PlanWord {
  if (!('place' in word)) return word;
  return word.isPattern ? { glob: word.place } : { text: word.place };
}

function findBadWords(argv: ({ text: string } | { glob: string })[], goes: boolean): string[] {
  const [program = '', ...rest] = argv.map((word) => ('text' in word ? word.text : word.glob));
  const forbidden = never[program];
  // After a script name, and after `--`, words are not flags of the program.
  const end = rest.findIndex((word) => word === '--' || (program === 'node' && !word.startsWith('-')));
  const own = end === -1 ? rest : rest.slice(0, end);
  const paths =
    pathsOnly.has(program) && !goes
      ? rest.filter((word) => !word.startsWith('-') && word !== '/dev/null')
      : [];
  return [
    ...(knownPrograms.has(program) || isOwnProgram(program) ? [] : [`${program} is no program`]),
    // After a flag it may be the flag's value.
    ...own.filter((word, index) => forbidden?.test(word) && !own[index - 1]?.startsWith('-')),
    ...paths.filter((path) => {
      const inside = resolvePath('.', path);
      return inside === undefined || /(^|\/)\.git(\/|$)/i.test(inside);
    }),
  ];
}

/** A path within the repository that is no program of the system, of git, or for a shell. */
function isOwnProgram(program: string): boolean {
  return (
    program.includes('/') &&
    /^(\.\/)?[\w@.+-]+(\/[\w@.+-]+)*$/.test(program) &&
    !/\.\.|(^|\/)\.git(\/|$)|\/(git|sh|bash)$|\.sh$/i.test(program)
  );
}

function makeLine(random: Random): string {
  if (random.chance(0.1))
    return Array.from({ length: 1 + random.below(40) }, () => random.pick(characters)).join('');
  let line = random.pick(corpus);
  for (let changes = random.below(4); changes >= 0; changes -= 1) line = mutate(random, line);
  return line;
}

function mutate(random: Random, line: string): string {
  const at = random.below(line.length + 1);
  const parts = line.split(' ');
  const place = random.below(parts.length);
  switch (random.below(6)) {
    case 0:
      return line.slice(0, at) + random.pick(characters) + line.slice(at + random.below(2));
    case 1:
      return parts.toSpliced(place, 0, random.pick(words)).join(' ');
    case 2:
      return parts.toSpliced(place, 1).join(' ');
    case 3:
      return parts.toSpliced(place, 1, random.pick(words)).join(' ');
    case 4:
      return `${line}${random.pick([' && ', ' | ', '; ', ' || ', '\n', ' > '])}${random.pick(corpus)}`;
    default:
      return line.slice(0, at) + line.slice(at + 1);
  }
}
