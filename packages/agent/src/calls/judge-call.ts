/** Decides whether a call is allowed, by the paths that its tool declares and by its command line. */
import { type CommandRemark, type Denial, toDenial } from '@fettle/contract';
import type {
  CommandObjection,
  CommandVerdict,
  ContainedVerdict,
  PathJudge,
  PathOperation,
} from '@fettle/policy';
import type { CommandRun, TouchedPath } from '../tools/tool.ts';
import type { ParsedCall } from './hooks.ts';

/** `contained`: a shell inside the sandbox runs the line. It is judged for the record, and refused if it cannot work. */
export type CommandPolicy =
  | { mode: 'strict'; judge(line: string): CommandVerdict }
  | { mode: 'contained'; judge(line: string): ContainedVerdict };

/** What the policy decided about an allowed call. */
export interface Permit {
  command?: CommandRun;
  /** The rules that allowed the command line; in `contained`, what `strict` says about it. */
  rules?: string[];
  /** Remarks for the person who reviews the change. */
  remarks?: CommandRemark[];
}

export type CallVerdict = { ok: true; permit: Permit } | { ok: false; message: string; denial: Denial };

const pastParticiple: Record<PathOperation, string> = { read: 'read', write: 'changed', delete: 'deleted' };

export function judgeCall(
  { tool, input, paths }: Pick<ParsedCall, 'tool' | 'input' | 'paths'>,
  { judgePath, commandPolicy }: { judgePath: PathJudge; commandPolicy: CommandPolicy },
): CallVerdict {
  for (const touched of paths) {
    const denied = judgeTouched(touched, judgePath);
    if (denied) return denied;
  }
  if (!tool.takesCommandLine) return { ok: true, permit: {} };
  return judgeLine(String(input.command), commandPolicy);
}

/** Only a denial counts here. Remarks about a changed file are collected when the change is saved. */
function judgeTouched({ path, access }: TouchedPath, judgePath: PathJudge): CallVerdict | undefined {
  const verdict = judgePath(path, access);
  if (verdict.decision !== 'deny') return undefined;
  const { reason, rule, instead } = verdict;
  const advice = instead === undefined ? '' : ` ${instead}`;
  return {
    ok: false,
    message: `${path} may not be ${pastParticiple[access]}: ${reason} (rule ${rule}).${advice}`,
    denial: toDenial({ kind: 'path', subject: path, token: path, rule, reason, ...(instead && { instead }) }),
  };
}

function judgeLine(line: string, policy: CommandPolicy): CallVerdict {
  if (policy.mode === 'contained') {
    const verdict = policy.judge(line);
    if (verdict.decision === 'deny') return denyLine(line, verdict);
    return { ok: true, permit: { command: { by: 'shell', line }, rules: [...new Set(verdict.rules)] } };
  }
  const verdict = policy.judge(line);
  if (verdict.decision === 'deny') return denyLine(line, verdict);
  const { plan, rules } = verdict;
  const permit = { command: { by: 'plan' as const, plan }, rules: [...new Set(rules)] };
  if (verdict.decision === 'allow') return { ok: true, permit };
  const remarks = verdict.all.map(({ rule, token = line, reason }) => ({ rule, token, reason }));
  return { ok: true, permit: { ...permit, remarks } };
}

function denyLine(line: string, verdict: CommandObjection): CallVerdict {
  const { rule, reason, token, instead } = verdict;
  const denial = toDenial({
    ...{ kind: 'command', subject: line, token: token ?? line, rule, reason },
    ...(instead !== undefined && { instead }),
  });
  const what = token === undefined || token === '' ? '' : ` «${denial.token}»:`;
  const advice = denial.instead === undefined ? '' : `\nInstead: ${endSentence(denial.instead)}`;
  return {
    ok: false,
    message: `No part of this line was run.${what} ${denial.reason} (rule ${denial.rule}).${advice}`,
    denial,
  };
}

/** Advice of path rules is a whole sentence, advice of command rules is not. */
function endSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
