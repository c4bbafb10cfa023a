import { scanText } from '@fettle/secrets';
import { z } from 'zod';
import { usageError } from '../../cli-error.ts';
import { errorObject } from '../run/run-result.ts';

const question = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  text: z.string(),
  filename: z.string().optional(),
});

/** The answer to one line of --stdin-jsonl. An invalid line is answered too, so that each line has one answer. */
export function answerLine(line: string | undefined): object {
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
