import { scanText } from '@fettle/secrets';
import { z } from 'zod';
import { usageError } from '../../cli-error.ts';
import { errorObject } from '../run/run-result.ts';

const question = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  text: z.string(),
  filename: z.string().optional(),
});

/** The answer to one line of --stdin-jsonl; a bad line has an answer too, so that answers can be counted. */
export function answerLine(line: string | undefined): object {
  if (line === undefined) return refuse('the line is too long');
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return refuse('the line is no JSON');
  }
  const { success, data } = question.safeParse(parsed);
  if (!success) return refuse('the line is not {"id","text","filename"}', idOf(parsed));
  const { id, text, filename = '' } = data;
  return { id, findings: scanText(text, { filename }) };
}

function refuse(why: string, id?: unknown): object {
  return { id, error: errorObject(usageError(`${why}.`, 'Give one JSON object a line.')) };
}

function idOf(parsed: unknown): unknown {
  const id = z.object({ id: z.union([z.string(), z.number()]) }).safeParse(parsed);
  return id.data?.id;
}
