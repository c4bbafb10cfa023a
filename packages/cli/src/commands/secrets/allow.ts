/** Secrets that may pass: which, why, until when, and which no longer. */
import { resolve } from 'node:path';
import type { Allowance } from '@fettle/contract';
import { type ExitCode, exitCodes, usageError } from '../../cli-error.ts';
import { look } from '../../server/with-server.ts';
import { harmless } from '../../view/harmless.ts';
import { printJson } from '../../view/print-json.ts';

export interface AllowOptions {
  reason?: string;
  expires?: string;
  repo?: string;
  json?: boolean;
}

export async function secretsAllow(fingerprint: string, options: AllowOptions): Promise<ExitCode> {
  const { reason, expires, repo, json } = options;
  if (reason === undefined || reason.trim() === '')
    throw usageError(
      '--reason is missing: why may it pass?',
      'It is kept on record, and shown in proposals.',
    );
  const days = expires === undefined ? undefined : readDays(expires);
  return look(async ({ client }) => {
    const allowance = await client.allowSecret({
      ...{ fingerprint, reason },
      ...(days !== undefined && { days }),
      ...(repo !== undefined && { repository: placeOf(repo) }),
    });
    if (json) printJson(allowance);
    else process.stdout.write(`${describe(allowance)}\n`);
    return exitCodes.done;
  });
}

export async function secretsAllowed({ json }: { json?: boolean }): Promise<ExitCode> {
  return look(async ({ client }) => {
    const allowed = await client.allowedSecrets();
    if (json) printJson({ allowed });
    else
      process.stdout.write(allowed.map((each) => `${describe(each)}\n`).join('') || 'No secret may pass.\n');
    return exitCodes.done;
  });
}

export async function secretsDisallow(
  fingerprint: string,
  { repo, json }: Pick<AllowOptions, 'repo' | 'json'>,
): Promise<ExitCode> {
  return look(async ({ client }) => {
    await client.disallowSecret(fingerprint, repo === undefined ? undefined : placeOf(repo));
    if (json) printJson({ fingerprint });
    else process.stdout.write(`${fingerprint} may pass no longer\n`);
    return exitCodes.done;
  });
}

function describe({ fingerprint, repository, reason, allowedBy, allowedAt, expiresAt }: Allowance): string {
  const until = expiresAt === null ? 'without an end' : `until ${expiresAt.slice(0, 10)}`;
  const where = repository === null ? 'everywhere' : `in ${repository}`;
  return harmless(
    `${fingerprint} may pass ${where} ${until}: ${reason} (${allowedBy}, ${allowedAt.slice(0, 10)})`,
  );
}

/** `30d`, as people write it. */
function readDays(text: string): number {
  const [, days] = /^([1-9]\d{0,3})d?$/.exec(text) ?? [];
  if (days === undefined) throw usageError(`--expires takes a number of days such as 30d, not '${text}'.`);
  return Number(days);
}

/** A folder of this machine is told by its whole path, as `fettle run` does. */
function placeOf(repository: string): string {
  return /^[./~]/.test(repository) ? resolve(repository) : repository;
}
