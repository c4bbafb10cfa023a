/** The questions of `policy check`, and how the rules answer them. */
import {
  type CommandVerdict,
  type ContentObjection,
  createPathJudge,
  judgeCommand,
  judgeFile,
  type PathOperation,
  toOperandJudge,
} from '@fettle/policy';
import { scanText, secretWords } from '@fettle/secrets';
import { z } from 'zod';
import type { PolicyRules } from './read-policy.ts';

const operations = ['read', 'write', 'delete'] as const satisfies PathOperation[];
export const operationSchema = z.enum(operations);

export const questionSchema = z.union(
  [
    z.strictObject({ command: z.string() }),
    z.strictObject({ path: z.string(), content: z.string() }),
    z.strictObject({ path: z.string(), op: operationSchema.default('write') }),
  ],
  'must be {"command":…}, {"path":…,"op":…} or {"path":…,"content":…}',
);
export type Question = z.infer<typeof questionSchema>;

export interface Answer {
  decision: 'allow' | 'approve' | 'deny';
  rule: string | null;
  reason: string | null;
  /** The part of the question that the rule matched. */
  token: string | null;
  instead: string | null;
}

export interface Judges {
  rules: PolicyRules;
  /** Judge a set-up command of the repository instead of a command of the agent. */
  isSetup: boolean;
}

export function judgeQuestion(question: Question, { rules, isSetup }: Judges): Answer {
  const { layers, protectedPaths } = rules;
  const judgePath = createPathJudge({ protectedPaths });
  if ('command' in question) {
    const purpose = isSetup ? 'set-up' : 'agent';
    return toAnswer(
      judgeCommand(question.command, { purpose, layers, judgePath: toOperandJudge(judgePath) }),
    );
  }
  const { path } = question;
  if ('op' in question) return toAnswer(judgePath(path, question.op), path);
  const [gravest] = judgeFile({ path, after: Buffer.from(question.content) });
  if (gravest?.decision === 'deny') return toAnswer(gravest, path);
  return toAnswer(findSecret(question.content) ?? gravest ?? { decision: 'allow' }, path);
}

function findSecret(content: string): ContentObjection | undefined {
  const [found] = scanText(content);
  return found && { decision: 'deny', rule: found.rule, ...secretWords, token: found.excerpt };
}

type Judged = { decision: 'allow'; rules?: string[] } | CommandVerdict | ContentObjection;

/** `subject` is the token when the verdict names none. */
function toAnswer(verdict: Judged, subject?: string): Answer {
  if (verdict.decision === 'allow') {
    const rule = verdict.rules?.join(', ') || null;
    return { decision: 'allow', rule, reason: null, token: null, instead: null };
  }
  const { decision, rule, reason, token = subject ?? null, instead = null } = verdict;
  return { decision, rule, reason, token, instead };
}
