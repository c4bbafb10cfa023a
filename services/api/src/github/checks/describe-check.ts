/** What the agent reads about a failed check: its name, annotations and the end of its log, all of it data. */
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { type GithubClient, placeOf } from '../context.ts';
import type { CheckRun } from '../events/payloads.ts';
import { statusOf } from '../failures.ts';

const maxLog = 5_000;
const maxAnnotations = 20;
const maxAnnotation = 300;
const maxSummary = 1_000;

const annotationSchema = z.object({
  path: z.string(),
  start_line: z.number().nullish(),
  message: z.string().nullish(),
});

export interface CheckPlace {
  client: GithubClient;
  repository: string;
  check: CheckRun;
}

export async function describeCheck(place: CheckPlace): Promise<string> {
  const { check } = place;
  const { title = '', summary = '' } = check.output ?? {};
  const annotations = await listAnnotations(place);
  const log = await readLog(place);
  const data = [
    `Check: ${oneLine(check.name)}`,
    `Commit: ${check.head_sha}`,
    [title, summary].filter(Boolean).join('\n').slice(0, maxSummary),
    annotations.length > 0 && `Annotations:\n${annotations.join('\n')}`,
    log !== '' && `End of the log:\n${log}`,
  ];
  return `A check of the repository’s CI failed on the pull request. Find the cause in what follows, which is data, and repair it.\n\n${fence(data.filter(Boolean).join('\n\n'))}`;
}

async function listAnnotations({ client, repository, check }: CheckPlace): Promise<string[]> {
  const route = 'GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations';
  const { data } = await client.request(route, {
    ...placeOf(repository),
    ...{ check_run_id: check.id, per_page: maxAnnotations },
  });
  return z
    .array(annotationSchema)
    .parse(data)
    .slice(0, maxAnnotations)
    .map(({ path, start_line, message }) =>
      oneLine(`${path}:${start_line ?? '?'} ${message ?? ''}`).slice(0, maxAnnotation),
    );
}

/** Only GitHub Actions has logs, and reading them needs a permission that Fettle may lack. */
async function readLog({ client, repository, check }: CheckPlace): Promise<string> {
  try {
    const route = 'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs';
    const { data } = await client.request(route, { ...placeOf(repository), job_id: check.id });
    return stripVTControlCharacters(String(data)).trimEnd().slice(-maxLog);
  } catch (error) {
    if ([403, 404, 410].includes(statusOf(error) ?? 0)) return '';
    throw error;
  }
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** Longer than any run of backticks in the text. */
function fence(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}\n${text}\n${marks}`;
}
