/** Checks a question against the same rules as the worker, without a server. */
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
  if (given.length !== 1) throw usageError('give exactly one of a command line, --path and --stdin-jsonl.');
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
  const reject = (message: string) => ({ error: { code: 'usage', message } });
  if (line === undefined) return reject('the line is too long');
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return reject('the line is not JSON');
  }
  const parsed = questionSchema.safeParse(value);
  return parsed.success ? judgeQuestion(parsed.data, judges) : reject(describeIssue(parsed.error).message);
}

function describe({ decision, rule, reason, token, instead }: Answer): string {
  const verdicts = { allow: 'allowed', approve: 'needs approval', deny: 'denied' };
  if (reason === null) return `${verdicts[decision]}${rule === null ? '' : ` (rule ${rule})`}\n`;
  const subject = token === null ? '' : `${token}: `;
  return `${verdicts[decision]}: ${subject}${reason} (rule ${rule})\n${instead === null ? '' : `  ${instead}\n`}`;
}
