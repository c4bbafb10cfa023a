/** Checks one simple command: finds the rule of the program and of its subcommand, and checks the words against it. */
import { checkForm } from './check-form.ts';
import type { Scope } from './check-operand.ts';
import type { Recognized } from './layers.ts';
import { nearest } from './nearest.ts';
import type { PlanWord } from './parse/resolve-word.ts';
import { showWord } from './read-arguments.ts';
import { readFlag } from './read-flag.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { Form, Program, Subcommand } from './rules/rule.ts';
import { type ProgramTable, refusedPrograms } from './rules/rule-table.ts';

export interface CommandChecks {
  programs: ProgramTable;
  judgePath: Scope['judgePath'];
  /** Called with everything that was recognized. A returned refusal denies the command. */
  askLayers: (command: Recognized) => Refusal | undefined;
}
type Outcome = { ok: true; rules: string[] } | Refusal;

export function checkCommand(argv: PlanWord[], checks: CommandChecks): Outcome {
  const name = textOf(argv[0]);
  if (name === undefined) {
    return refuse('program', 'a pattern cannot say which program runs', {
      token: showWord(argv[0]),
      instead: 'name it',
    });
  }
  const program = checks.programs.get(name);
  return program === undefined
    ? refuseProgram(name, checks.programs)
    : checkProgram(name, program, argv.slice(1), checks);
}

function checkProgram(name: string, program: Program, args: PlanWord[], checks: CommandChecks): Outcome {
  const found = findSubcommand(name, program, args);
  if ('ok' in found) return found;
  const { subcommand, spelled, words, before } = found;
  const rule = [name, ...spelled].join(' ');
  const scope: Scope = {
    judgePath: checks.judgePath,
    checkTool: (kind, tool) => checkTool(kind === 'node-tool' ? 'node' : 'python', tool, checks),
  };
  const leading = checkForm(name, { ...program, operands: [], minOperands: 0 }, before, scope);
  if (!leading.ok) return leading;
  const form: Form = subcommand ?? program;
  const checked = checkForm(rule, form, words, scope);
  if (!checked.ok) return checked;
  const flags = [...leading.flags, ...checked.flags];
  const denied = checks.askLayers({ programs: program.names, subcommands: subcommand?.names ?? [], flags });
  return denied ?? { ok: true, rules: [rule, ...checked.rules] };
}

interface Found {
  subcommand: Subcommand | undefined;
  /** The subcommand as written. */
  spelled: string[];
  /** The words before and after the subcommand. */
  before: PlanWord[];
  words: PlanWord[];
}

function findSubcommand(name: string, program: Program, args: PlanWord[]): Found | Refusal {
  const whole: Found = { subcommand: undefined, spelled: [], before: [], words: args };
  if (program.subcommands === undefined) return whole;
  let at = 0;
  while (at < args.length) {
    const text = textOf(args[at]);
    if (text === undefined) break;
    const two = `${text} ${textOf(args[at + 1]) ?? ''}`;
    for (const [names, length] of [[two, 2] as const, [text, 1] as const]) {
      const subcommand = program.subcommands.find((candidate) => candidate.names.includes(names));
      if (subcommand !== undefined) {
        return { subcommand, spelled: [names], before: args.slice(0, at), words: args.slice(at + length) };
      }
    }
    if (!text.startsWith('-') || text === '--' || text === '-') break;
    const flag = readFlag(name, program, text, args[at + 1]);
    if (!flag.ok) return flag;
    at += flag.takesNext ? 2 : 1;
  }
  if (at >= args.length) return whole;
  return program.operands === undefined ? refuseSubcommand(name, program, showWord(args[at])) : whole;
}

function refuseSubcommand(name: string, program: Program, token: string): Refusal {
  const known =
    program.refused !== undefined && Object.hasOwn(program.refused, token)
      ? program.refused[token]
      : undefined;
  if (known !== undefined) return refuse(`${name} ${token}`, known.reason, { token, instead: known.instead });
  const names = (program.subcommands ?? []).flatMap((subcommand) => subcommand.names);
  const near = nearest(token, names);
  return refuse(name, `"${name} ${token}" is not among what ${name} may do here`, {
    token,
    instead: near === undefined ? `${name} may do: ${names.join(', ')}` : `did you mean ${name} ${near}?`,
  });
}

function checkTool(kind: 'node' | 'python', words: PlanWord[], checks: CommandChecks): Outcome {
  const name = textOf(words[0]) ?? showWord(words[0]);
  const program = checks.programs.get(name);
  if (program?.toolOf === kind) return checkProgram(name, program, words.slice(1), checks);
  const tools = [...checks.programs].filter(([, { toolOf }]) => toolOf === kind).map(([tool]) => tool);
  const near = nearest(name.replace(/@[^/]*$/, ''), tools);
  const instead =
    near === undefined ? describeTools(kind, tools) : `did you mean ${near}, without a version?`;
  return refuse('tool', `${name} is not among the tools that may be started this way`, {
    token: name,
    instead,
  });
}

function describeTools(kind: 'node' | 'python', tools: string[]): string {
  const other = kind === 'node' ? 'a script of package.json with npm run' : 'a script of the repository';
  return `use one of ${tools.join(', ')}, or ${other}`;
}

function refuseProgram(name: string, programs: ProgramTable): Refusal {
  const known = refusedPrograms.get(name);
  if (known !== undefined) return refuse('program', known.reason, { token: name, instead: known.instead });
  if (name.includes('/')) {
    return refuse('program', 'programs are started by their name, not by a path', {
      token: name,
      instead: /^(\.\/)?node_modules\/\.bin\/[\w-]+$/.test(name)
        ? `use npx ${name.split('/').at(-1)}`
        : 'a script of the repository runs through npm run, make, node or python; the tools test, build and lint run its own commands',
    });
  }
  const near = nearest(name, programs.keys());
  return refuse('program', `${name} is not among the programs that may be run`, {
    token: name,
    instead: near === undefined ? describePrograms(programs) : `did you mean ${near}?`,
  });
}

/** Tools of a repository are many, and are started by others on the list. */
function describePrograms(programs: ProgramTable): string {
  const names = [...programs].flatMap(([name, { toolOf }]) => (toolOf || name.includes('/') ? [] : [name]));
  return `use the tools test, build, lint and typecheck, which run the repository’s own commands, a script or a tool with npm run, npx or make, or one of ${names.join(', ')}`;
}

function textOf(word: PlanWord | undefined): string | undefined {
  return word !== undefined && 'text' in word ? word.text : undefined;
}
