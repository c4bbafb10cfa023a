/** Allows secrets to be pushed, lists the allowed ones and withdraws an allowance. */
import { resolve } from 'node:path';
import type { Allowance } from '@fettle/contract';
import { usageError } from '../../cli-error.ts';
import { withServer } from '../../server/with-server.ts';
import { harmless } from '../../view/harmless.ts';
import { printJson } from '../../view/print-json.ts';
import { showDay } from '../../view/text/local-time.ts';

export interface AllowOptions {
  reason?: string;
  expires?: string;
  repo?: string;
  json?: boolean;
}

export async function secretsAllow(fingerprint: string, options: AllowOptions): Promise<void> {
  const { reason, expires, repo, json } = options;
  if (reason === undefined || reason.trim() === '')
    throw usageError(
      '--reason is missing.',
      'Say why the secret is allowed: the reason is recorded and shown in proposals.',
    );
  const days = expires === undefined ? undefined : readDays(expires);
  await withServer(async ({ client }) => {
    const allowance = await client.allowSecret({
      ...{ fingerprint, reason },
      ...(days !== undefined && { days }),
      ...(repo !== undefined && { repository: absolutePlace(repo) }),
    });
    if (json) printJson(allowance);
    else process.stdout.write(`${describe(allowance)}\n`);
  });
}

export async function secretsAllowed({ json }: { json?: boolean }): Promise<void> {
  await withServer(async ({ client }) => {
    const allowed = await client.allowedSecrets();
    if (json) printJson({ allowed });
    else
      process.stdout.write(
        allowed.map((each) => `${describe(each)}\n`).join('') || 'No secret is allowed.\n',
      );
  });
}

export async function secretsDisallow(
  fingerprint: string,
  { repo, json }: Pick<AllowOptions, 'repo' | 'json'>,
): Promise<void> {
  await withServer(async ({ client }) => {
    await client.disallowSecret(fingerprint, repo === undefined ? undefined : absolutePlace(repo));
    if (json) printJson({ fingerprint });
    else process.stdout.write(`${fingerprint} is no longer allowed\n`);
  });
}

function describe({ fingerprint, repository, reason, allowedBy, allowedAt, expiresAt }: Allowance): string {
  const until = expiresAt === null ? 'no expiry' : `until ${expiresAt.slice(0, 10)}`;
  const where = repository === null ? 'in all repositories' : `in ${repository}`;
  return harmless(
    `${fingerprint} allowed ${where}, ${until}: ${reason} (by ${allowedBy} on ${showDay(allowedAt)})`,
  );
}

/** Parses `30d` or `30`. */
function readDays(text: string): number {
  const [, days] = /^([1-9]\d{0,3})d?$/.exec(text) ?? [];
  if (days === undefined) throw usageError(`--expires takes a number of days such as 30d, not '${text}'.`);
  return Number(days);
}

/** Makes a local path absolute, as `fettle run` does. */
function absolutePlace(repository: string): string {
  return /^[./~]/.test(repository) ? resolve(repository) : repository;
}
