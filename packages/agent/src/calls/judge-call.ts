/** Whether a call may be made, by the paths and the command line that its input names. */
import { type CommandRemark, type Denial, toDenial } from '@fettle/contract';
import type { CommandVerdict, PathJudge, PathOperation } from '@fettle/policy';
import type { CommandRun, Tool } from '../tools/tool.ts';

/** `contained`: a shell inside the sandbox gets the line as it is. */
export type CommandPolicy = { mode: 'strict'; judge(line: string): CommandVerdict } | { mode: 'contained' };

/** What was found out about a call that may be made. */
export interface Permit {
  command?: CommandRun;
  /** What allowed the command line. */
  rules?: string[];
  /** What of it a person is to be shown. */
  remarks?: CommandRemark[];
}

export type CallVerdict = { ok: true; permit: Permit } | { ok: false; told: string; denial: Denial };

const done: Record<PathOperation, string> = { read: 'read', write: 'changed', delete: 'deleted' };

export function judgeCall(
  tool: Tool,
  input: Record<string, unknown>,
  { judgePath, commandPolicy }: { judgePath: PathJudge; commandPolicy: CommandPolicy },
): CallVerdict {
  const { path, command } = input;
  const denied = typeof path === 'string' ? judgeNamedPath(tool, path, judgePath) : undefined;
  if (denied) return denied;
  if (!tool.takesCommandLine) return { ok: true, permit: {} };
  return judgeLine(String(command), commandPolicy);
}

/** What a person has to be shown of a path is shown where the file is handed out. */
function judgeNamedPath(tool: Tool, path: string, judgePath: PathJudge): CallVerdict | undefined {
  const operation = tool.operation ?? (tool.effect === 'reads' ? 'read' : 'write');
  const verdict = judgePath(path, operation);
  if (verdict.decision !== 'deny') return undefined;
  const { reason, rule, instead } = verdict;
  const advice = instead === undefined ? '' : ` ${instead}`;
  return {
    ok: false,
    told: `${path} may not be ${done[operation]}: ${reason} (rule ${rule}).${advice}`,
    denial: toDenial({ kind: 'path', subject: path, token: path, rule, reason, ...(instead && { instead }) }),
  };
}

function judgeLine(line: string, policy: CommandPolicy): CallVerdict {
  if (policy.mode === 'contained') return { ok: true, permit: { command: { by: 'shell', line } } };
  const verdict = policy.judge(line);
  if (verdict.decision === 'deny') return refuseLine(line, verdict);
  const { plan, rules } = verdict;
  const permit = { command: { by: 'plan' as const, plan }, rules: [...new Set(rules)] };
  if (verdict.decision === 'allow') return { ok: true, permit };
  const remarks = verdict.all.map(({ rule, token = line, reason }) => ({ rule, token, reason }));
  return { ok: true, permit: { ...permit, remarks } };
}

function refuseLine(line: string, verdict: Extract<CommandVerdict, { decision: 'deny' }>): CallVerdict {
  const { rule, reason, token, instead } = verdict;
  const denial = toDenial({
    ...{ kind: 'command', subject: line, token: token ?? line, rule, reason },
    ...(instead !== undefined && { instead }),
  });
  const what = token === undefined || token === '' ? '' : ` «${denial.token}»:`;
  const advice = denial.instead === undefined ? '' : `\nInstead: ${asSentence(denial.instead)}`;
  return {
    ok: false,
    told: `Nothing of this line was run.${what} ${denial.reason} (rule ${denial.rule}).${advice}`,
    denial,
  };
}

/** Rules of paths give whole sentences, rules of commands only what to do. */
function asSentence(words: string): string {
  return /[.?!]$/.test(words) ? words : `${words}.`;
}
