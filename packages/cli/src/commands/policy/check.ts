/** Asks the rules, without a server: the same that the worker asks. */
import { describeIssue } from '@fettle/contract';
import { type ExitCode, exitCodes, usageError } from '../../cli-error.ts';
import { readLines } from '../../process/read-lines.ts';
import { harmless } from '../../view/harmless.ts';
import { printJson } from '../../view/print-json.ts';
import {
  type Answer,
  type Judges,
  judgeQuestion,
  operationSchema,
  type Question,
  questionSchema,
} from './judge-question.ts';
import { readPolicy } from './read-policy.ts';

export interface PolicyCheckOptions {
  path?: string;
  op?: string;
  stdinJsonl?: boolean;
  repo?: string;
  organization: string;
  setUp?: boolean;
  json?: boolean;
}

export async function policyCheck(line: string | undefined, options: PolicyCheckOptions): Promise<ExitCode> {
  const given = [line, options.path, options.stdinJsonl].filter((each) => each !== undefined);
  if (given.length !== 1) throw usageError('give a command line, --path or --stdin-jsonl, and one of them.');
  const judges = { rules: await readPolicy(options), isSetup: options.setUp ?? false };
  if (options.stdinJsonl) return answerLines(judges);
  const answer = judgeQuestion(readQuestion(line, options), judges);
  if (options.json) printJson(answer);
  else process.stdout.write(harmless(describe(answer)));
  return answer.decision === 'allow' ? exitCodes.done : exitCodes.denied;
}

function readQuestion(line: string | undefined, { path = '', op = 'write' }: PolicyCheckOptions): Question {
  if (line !== undefined) return { command: line };
  const parsed = operationSchema.safeParse(op);
  if (!parsed.success) throw usageError(`--op takes ${operationSchema.options.join(', ')}, not '${op}'.`);
  return { path, op: parsed.data };
}

async function answerLines(judges: Judges): Promise<ExitCode> {
  for await (const line of readLines(process.stdin)) printJson(answerLine(line, judges));
  return exitCodes.done;
}

function answerLine(
  line: string | undefined,
  judges: Judges,
): Answer | { error: { code: string; message: string } } {
  const refuse = (message: string) => ({ error: { code: 'usage', message } });
  if (line === undefined) return refuse('the line is too long');
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return refuse('the line is not JSON');
  }
  const parsed = questionSchema.safeParse(value);
  return parsed.success ? judgeQuestion(parsed.data, judges) : refuse(describeIssue(parsed.error).message);
}

function describe({ decision, rule, reason, token, instead }: Answer): string {
  const words = { allow: 'allowed', approve: 'to be shown to a person', deny: 'denied' };
  if (reason === null) return `${words[decision]}${rule === null ? '' : ` (rule ${rule})`}\n`;
  const what = token === null ? '' : `${token}: `;
  return `${words[decision]}: ${what}${reason} (rule ${rule})\n${instead === null ? '' : `  ${instead}\n`}`;
}
