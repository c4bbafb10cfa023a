/** Scans files, standard input, or many texts (one per line) for secrets. */
import { buffer } from 'node:stream/consumers';
import { decodeText, type Finding, scanText } from '@fettle/secrets';
import { z } from 'zod';
import { type ExitCode, exitCodes, usageError } from '../../cli-error.ts';
import { readLines } from '../../process/read-lines.ts';
import { harmless } from '../../view/harmless.ts';
import { copyable, dim, type Line, red, yellow } from '../../view/line.ts';
import { printJson } from '../../view/print-json.ts';
import { openTerminal } from '../../view/terminal.ts';
import { errorObject } from '../run/run-result.ts';
import { scanFiles } from './scan-files.ts';

export interface SecretsScanOptions {
  name?: string;
  stdinJsonl?: boolean;
  json?: boolean;
  color: boolean;
}

export async function secretsScan(
  target: string | undefined,
  options: SecretsScanOptions,
): Promise<ExitCode> {
  if (options.stdinJsonl) {
    if (target !== undefined || options.name !== undefined)
      throw usageError('--stdin-jsonl reads only standard input.', 'Omit the path and --name.');
    for await (const line of readLines(process.stdin)) printJson(answerLine(line));
    return exitCodes.done;
  }
  const path = target ?? '.';
  if (options.name !== undefined && path !== '-')
    throw usageError('--name is only for standard input.', 'Use - as the path.');
  const terminal = openTerminal(process.stdout, options);
  let found = 0;
  for await (const finding of path === '-' ? scanInput(options.name) : scanFiles(path)) {
    found += 1;
    if (options.json) printJson(finding);
    else terminal.print([describeFinding(finding)]);
  }
  return found === 0 ? exitCodes.done : exitCodes.denied;
}

async function* scanInput(name = ''): AsyncGenerator<Finding> {
  yield* scanText(decodeText(await buffer(process.stdin)), { filename: name });
}

function describeFinding({ rule, file, line, column, severity, excerpt, fingerprint }: Finding): Line {
  const mark = severity === 'high' ? red(severity) : yellow(severity);
  const place = harmless(`${file || '-'}:${line}:${column}`);
  return [copyable(place), ' ', mark, ` ${rule} ${harmless(excerpt)} `, dim(fingerprint)];
}

const question = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  text: z.string(),
  filename: z.string().optional(),
});

/** The answer to one line of --stdin-jsonl. An invalid line is answered too, so that each line has one answer. */
function answerLine(line: string | undefined): object {
  if (line === undefined) return reject('the line is too long');
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return reject('the line is not JSON');
  }
  const { success, data } = question.safeParse(parsed);
  if (!success) return reject('the line is not {"id","text","filename"}', idOf(parsed));
  const { id, text, filename = '' } = data;
  return { id, findings: scanText(text, { filename }) };
}

function reject(why: string, id?: unknown): object {
  return { id, error: errorObject(usageError(`${why}.`, 'Send one JSON object per line.')) };
}

function idOf(parsed: unknown): unknown {
  const id = z.object({ id: z.union([z.string(), z.number()]) }).safeParse(parsed);
  return id.data?.id;
}
