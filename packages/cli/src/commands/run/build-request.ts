/** Builds a request from the arguments and validates it before anything is started. */
import { readFileSync } from 'node:fs';
import { describeIssue, kinds, type RequestInput, requestSchema } from '@fettle/contract';
import { usageError } from '../../cli-error.ts';
import { absoluteRepository, enclosingRepository } from './local-repository.ts';

export interface RunOptions {
  repo?: string;
  /** The repository if there is no --repo, and the current folder is in none. */
  defaultRepo?: string | undefined;
  base?: string;
  model?: string;
  file?: string[];
  priority?: string;
  ticket?: string;
  errorMessage?: string;
  stackFile?: string;
  logsFile?: string;
  requirement?: string[];
  criterion?: string[];
  plan?: boolean;
  maxParts?: string;
  maxTurns?: string;
  maxTokens?: string;
  maxUsd?: string;
  review?: boolean;
  evidence?: boolean;
  maxSeconds?: string;
}

export function buildRequest(kind: string, description: string, options: RunOptions): RequestInput {
  if (!(kinds as readonly string[]).includes(kind))
    throw wrongUsage(`'${kind}' is not a kind of request; use ${kinds.join(', ')}.`);
  if (options.plan && kind !== 'implement')
    throw wrongUsage(`--plan works only with implement, not with ${kind}.`);
  const given = {
    kind,
    description,
    repository:
      options.repo === undefined
        ? enclosingRepository(process.cwd(), options.defaultRepo)
        : absoluteRepository(options.repo),
    baseBranch: options.base,
    targetFiles: options.file,
    errorContext: defined({
      message: options.errorMessage,
      stack: readText('--stack-file', options.stackFile),
      logs: readText('--logs-file', options.logsFile),
    }),
    featureContext: defined({ requirements: options.requirement, acceptanceCriteria: options.criterion }),
    ticket: options.ticket,
    model: options.model,
    priority: options.priority,
    review: options.review === false ? false : undefined,
    evidence: options.evidence === false ? false : undefined,
    planApproval: options.plan,
    budgets: defined({
      parts: toNumber('--max-parts', options.maxParts),
      turns: toNumber('--max-turns', options.maxTurns),
      tokens: toNumber('--max-tokens', options.maxTokens),
      usd: toAmount('--max-usd', options.maxUsd),
      seconds: toNumber('--max-seconds', options.maxSeconds),
    }),
  };
  const request = defined(given);
  const parsed = requestSchema.safeParse(request);
  if (parsed.success) return request as RequestInput;
  const { field, message } = describeIssue(parsed.error);
  throw wrongUsage(`${field}: ${message}.`);
}

function wrongUsage(message: string) {
  return usageError(message, "Run 'fettle run --help'.");
}

function readText(option: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw wrongUsage(`${option}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function toNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,11}$/.test(text))
    throw wrongUsage(`${option} takes a whole number above 0, not '${text}'.`);
  return Number(text);
}

function toAmount(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text) || Number(text) === 0)
    throw wrongUsage(`${option} takes an amount above 0 such as 2.50, not '${text}'.`);
  return Number(text);
}

/** Without the fields that are undefined; undefined if all are. */
function defined<T extends object>(value: T): Partial<T> | undefined {
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return entries.length > 0 ? (Object.fromEntries(entries) as Partial<T>) : undefined;
}
