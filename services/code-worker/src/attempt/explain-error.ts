/** Why an attempt failed, for the record: a person reads it. All that is known of an error is in the log. */
import { type ReasonCode, reasons } from '@fettle/contract';
import { GitError } from '@fettle/git';
import { SandboxError } from '@fettle/sandbox';

const diskFullSigns = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded|Out of diskspace|MISCONF/i;
const longestMessage = 1_000;

export function reasonOf(error: unknown): ReasonCode {
  const { message, detail = '' } = error as { message: string; detail?: string };
  if (diskFullSigns.test(`${message}\n${detail}`)) return 'disk_full';
  if (!(error instanceof SandboxError)) return 'internal';
  return ['no_place', 'start_failed'].includes(error.code) ? 'sandbox_unavailable' : 'sandbox_lost';
}

export function describeError(error: unknown): string {
  // What git or a sandbox says may be long, too, and the api takes no more.
  const message = (error as Error).message.slice(0, longestMessage);
  if (error instanceof GitError || error instanceof SandboxError) return message;
  return reasonOf(error) === 'disk_full' ? reasons.disk_full : message;
}
