/** Checks one simple command: finds the rule of the program and of its subcommand, and checks the words against it. */
import { checkForm } from './check-form.ts';
import type { JudgePath, Scope } from './check-operand.ts';
import type { Recognized } from './layers.ts';
import { nearest } from './nearest.ts';
import type { PlanWord } from './parse/resolve-word.ts';
import { findProgramFileFault, installedToolOf, PROGRAM_FILE, programFile } from './program-file.ts';
import { showWord } from './read-arguments.ts';
import { readFlag } from './read-flag.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { Form, Program, Subcommand } from './rules/rule.ts';
import { type ProgramTable, refusedPrograms } from './rules/rule-table.ts';

export interface CommandChecks {
  programs: ProgramTable;
  /** Judges paths from a folder of the line, or from the line's own. */
  judgePathFrom: (start: string | undefined) => JudgePath;
  place: Scope['place'];
  /** Whether the line may be in the scratch folder. */
  isInScratch: boolean;
  /** The text of a here-document that becomes standard input. */
  input?: string | undefined;
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
  if (program !== undefined) return checkProgram(name, program, argv.slice(1), checks);
  if (name.includes('/') && !refusedPrograms.has(name)) return checkProgramFile(name, argv, checks);
  return refuseProgram(name, checks.programs);
}

function checkProgram(name: string, program: Program, args: PlanWord[], checks: CommandChecks): Outcome {
  const found = findSubcommand(name, program, args);
  if ('ok' in found) return found;
  const { subcommand, spelled, words, before } = found;
  const rule = [name, ...spelled].join(' ');
  if (checks.isInScratch && !program.usesScratch) return refuseInScratch(name);
  const scope = scopeOf({ ...checks, judgePathFrom: alsoScratch(program, checks) });
  const leading = checkForm(name, { ...program, operands: [], minOperands: 0 }, before, scope);
  if (!leading.ok) return leading;
  const form: Form = subcommand ?? program;
  const checked = checkForm(rule, form, words, leading.scope);
  if (!checked.ok) return checked;
  const flags = [...leading.flags, ...checked.flags];
  const denied = checks.askLayers({ programs: program.names, subcommands: subcommand?.names ?? [], flags });
  return denied ?? { ok: true, rules: [rule, ...checked.rules] };
}

function scopeOf(checks: CommandChecks, start?: string): Scope {
  const judgePath = checks.judgePathFrom(start);
  return {
    judgePath,
    input: checks.input,
    place: checks.place,
    checkTool: (kind, tool) => {
      const inner = { ...checks, judgePathFrom: fixAt(judgePath) };
      return checkTool(kind === 'node-tool' ? 'node' : 'python', tool, start === undefined ? checks : inner);
    },
    ...(start === undefined && { from: (folder: string) => scopeOf(checks, folder) }),
  };
}

function alsoScratch(
  { usesScratch }: Program,
  { judgePathFrom }: CommandChecks,
): CommandChecks['judgePathFrom'] {
  if (!usesScratch) return judgePathFrom;
  return (start) => {
    const judgePath = judgePathFrom(start);
    return (path, operation, isPattern) => judgePath(path, operation, isPattern, 'scratch');
  };
}

/** What lies there was not judged, so nothing of it is run, and no program reads its settings there. */
function refuseInScratch(token: string): Refusal {
  return refuse('path/scratch', 'only programs that read and change files run in the scratch folder', {
    token,
    instead: 'run it in the workspace, and name the files in /tmp',
  });
}

/** A tool that another program starts elsewhere cannot move on. */
function fixAt(judgePath: JudgePath): CommandChecks['judgePathFrom'] {
  return (start) =>
    start === undefined
      ? judgePath
      : (token) => refuse('path/start', 'only one folder to start in can be given', { token });
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

/** A program that the repository contains or has installed. A tool with a rule is judged by it. */
function checkProgramFile(name: string, argv: PlanWord[], checks: CommandChecks): Outcome {
  const judgePath = checks.judgePathFrom(undefined);
  const fault = findProgramFileFault(name, checks.programs) ?? judgePath(name, 'read', false);
  if (fault !== undefined) return fault;
  const tool = installedToolOf(name);
  const program = tool === undefined ? undefined : checks.programs.get(tool.name);
  if (tool !== undefined && program?.toolOf === tool.kind) {
    return checkProgram(tool.name, program, argv.slice(1), checks);
  }
  return checkProgram(PROGRAM_FILE, programFile, argv.slice(1), checks);
}

function refuseProgram(name: string, programs: ProgramTable): Refusal {
  const known = refusedPrograms.get(name);
  if (known !== undefined) return refuse('program', known.reason, { token: name, instead: known.instead });
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
