/**
 * Decides whether a command line may run: parse it, track its folder, check each command against the rules and the
 * layers.
 */
import type { CommandPlan } from '@fettle/contract';
import { checkCommand } from './check-command.ts';
import type { JudgePath } from './check-operand.ts';
import { judgeByDefault } from './default-path-judge.ts';
import { type Place, placesAfter, placesOf, START } from './follow-folders.ts';
import { isScratch, judgeOperandPath, type OperandPathJudge, resolvePath } from './judge-operand-path.ts';
import { type CommandLayer, findLayerRule } from './layers.ts';
import { type PlanStep, parseLine } from './parse/parse-line.ts';
import type { PlanWord } from './parse/resolve-word.ts';
import { type Refusal, refuse } from './refusal.ts';
import { knownPrograms, setupTable } from './rules/rule-table.ts';

const MAX_PLACES = 32;

export interface CommandOptions {
  /** The origin of the line: the agent, or a set-up command of the repository. */
  purpose?: 'agent' | 'set-up';
  judgePath?: OperandPathJudge;
  layers?: CommandLayer[];
}
/** A rule's message about a line, and the closest allowed alternative. */
export interface CommandObjection {
  rule: string;
  reason: string;
  token?: string;
  instead?: string;
}
interface Allowed {
  rules: string[];
  plan: CommandPlan;
}
/** `approve` may run, and is shown to a person. */
export type CommandVerdict =
  | ({ decision: 'allow' } & Allowed)
  | ({ decision: 'approve' } & Allowed & CommandObjection & { all: CommandObjection[] })
  | ({ decision: 'deny' } & CommandObjection);

type PlanCommand = PlanStep['commands'][number];
type Judgement = { ok: true; rules: string[] } | Refusal;

export function judgeCommand(line: string, options: CommandOptions = {}): CommandVerdict {
  const parsed = parseLine(line);
  if (!parsed.ok) return deny(parsed);
  const steps = parsed.plan;
  const asks: Refusal[] = [];
  const placed = new Set<PlanWord>();
  const rules: string[] = [];
  let places = START;
  for (const [index, step] of steps.entries()) {
    const judged = judgeStep(step, places, options, { asks, placed });
    if (!judged.ok) return deny(judged, steps.length > 1 ? `command ${index + 1} of the line: ` : '');
    rules.push(...judged.rules);
    places = placesAfter(step, places, cdOf(step));
    if (places.length > MAX_PLACES) return deny(refuse('cd', 'this line goes to too many folders'));
  }
  const plan = steps.map((step) => placeWords(step, placed));
  const all = asks.map(toObjection);
  return all[0] === undefined
    ? { decision: 'allow', rules, plan }
    : { decision: 'approve', rules, plan, ...all[0], all };
}

function judgeStep(
  step: PlanStep,
  places: Place[],
  options: CommandOptions,
  { asks, placed }: { asks: Refusal[]; placed: Set<PlanWord> },
): Judgement {
  const { judgePath: judge = judgeByDefault, layers = [], purpose } = options;
  const running = placesOf(step, places);
  const folders = [...new Set((running.length > 0 ? running : places).map(({ folder }) => folder))];
  const rules: string[] = [];
  for (const command of step.commands) {
    if (isCd(command) && step.commands.length > 1) {
      return refuse('cd', 'cd has no effect in a pipe', { token: 'cd', instead: 'write "cd folder && …"' });
    }
    const judgePathFrom = (start?: string): JudgePath => {
      const from = start === undefined ? folders : folders.map((folder) => goFrom(folder, start));
      return (path, operation, isPattern, also) =>
        judgeOperandPath(path, operation, {
          folders: from,
          judge,
          isPattern,
          usesScratch: also === 'scratch',
        });
    };
    const fault = command.redirects.map((redirect) => judgeRedirect(redirect, judgePathFrom())).find(Boolean);
    if (fault !== undefined) return fault;
    const checked = checkCommand(command.argv, {
      programs: purpose === 'set-up' ? setupTable : knownPrograms,
      judgePathFrom,
      input: inputOf(command),
      isInScratch: folders.some(isScratch),
      place: (word) => command.argv.includes(word) && placed.add(word).size > 0,
      askLayers: (recognized) => {
        const hit = findLayerRule(layers, recognized);
        if (hit?.decision === 'approve') asks.push(hit.refusal);
        return hit?.decision === 'deny' ? hit.refusal : undefined;
      },
    });
    if (!checked.ok) return checked;
    rules.push(...checked.rules);
  }
  return { ok: true, rules };
}

function judgeRedirect(
  redirect: PlanCommand['redirects'][number],
  judgePath: JudgePath,
): Refusal | undefined {
  return redirect.kind === 'duplicate' || redirect.kind === 'text'
    ? undefined
    : judgePath(redirect.path, redirect.kind, false, 'scratch');
}

/** Absolute paths are replaced by the toolbox. It carries out `cd` itself. */
function placeWords({ when, commands }: PlanStep, placed: Set<PlanWord>): CommandPlan[number] {
  return {
    when,
    commands: commands.map((command) => ({
      ...command,
      argv: command.argv.map((word) => {
        if (!placed.has(word) || isCd(command)) return word;
        return 'text' in word
          ? { place: word.text, isPattern: false }
          : { place: word.glob, isPattern: true };
      }),
    })),
  };
}

/** The last redirection of standard input counts. */
function inputOf({ redirects }: PlanCommand): string | undefined {
  const last = redirects.findLast(({ kind }) => kind === 'text' || kind === 'read');
  return last?.kind === 'text' ? last.text : undefined;
}

function isCd(command: PlanCommand): boolean {
  const [name] = command.argv;
  return name !== undefined && 'text' in name && name.text === 'cd';
}

/** A folder that leads out was refused before. */
function goFrom(folder: string, start: string): string {
  return resolvePath(folder, start) ?? folder;
}

/** `cd` without an operand goes to the workspace root. */
function cdOf(step: PlanStep): ((folder: string) => string) | undefined {
  const [command] = step.commands;
  if (command === undefined || !isCd(command)) return undefined;
  const target = command.argv[1];
  return (folder) =>
    target === undefined || !('text' in target) ? '.' : (resolvePath(folder, target.text) ?? '.');
}

function deny(refusal: Refusal, where = ''): CommandVerdict {
  const { reason, ...rest } = toObjection(refusal);
  return { decision: 'deny', ...rest, reason: `${where}${reason}` };
}

function toObjection({ ok: _, ...objection }: Refusal): CommandObjection {
  return objection;
}
