/** What a set-up that did not pass means for the checks after it, in the same words for `fettle check` and proposals. */
import { classifyRun } from '@fettle/checks';
import type { CheckStatus, Obstacle } from '@fettle/contract';
import { describeSetupFailure, findMissingHost } from './failure-lines.ts';
import type { SetupRun } from './run-setup.ts';
import { excuseWithheld, type WithheldName } from './withheld-cause.ts';

const maxReason = 1_800;

/** A set-up that failed, or that could not run. */
export interface SetupLack {
  status: 'failed' | 'could_not_run';
  command: string;
  reason: string;
}

interface Surroundings {
  /** The files that the sandbox lacks. */
  withheld: readonly WithheldName[];
  /** What the tools of the repository lack. */
  problems: readonly string[];
}

export function describeFailedSetup(
  { command, result, refusal }: SetupRun & { refusal?: string },
  { withheld, problems }: Surroundings,
): SetupLack {
  if (result === undefined) return { status: 'could_not_run', command, reason: refusal ?? '' };
  const host = findMissingHost(result.output);
  if (host !== undefined) {
    const what = `It needs packages from ${host}, which a sandbox cannot reach.`;
    const reason = explain(`${what} ${describeSetupFailure(result.output)}`, problems);
    return { status: 'could_not_run', command, reason };
  }
  const { status, obstacle } = excuseWithheld(
    classifyRun({ name: 'setup', ...result }),
    result.output,
    withheld,
  );
  const reason = explain(obstacle?.message ?? describeSetupFailure(result.output), problems);
  return { status: status === 'could_not_run' ? status : 'failed', command, reason };
}

/** The reason, and what the tools of the repository lack. */
export const explain = (reason: string, problems: readonly string[]): string =>
  [reason, ...problems].join('; ').slice(0, maxReason);

/** What is missing after the set-up, as a sentence. */
export function describeLack({ status, reason }: Pick<SetupLack, 'status' | 'reason'>): string {
  const what = status === 'failed' ? 'Set-up failed, so what it needs is missing' : 'Set-up could not run';
  return `${what}: ${reason}`.slice(0, maxReason);
}

interface Judged {
  status: CheckStatus;
  obstacle?: Obstacle | undefined;
}

/** What a set-up that did not pass leads to. */
const consequences: Obstacle['code'][] = ['missing_program', 'missing_package', 'not_downloaded'];

/** A failure says nothing about the repository if its packages are not there, unless a part of its tests passed. */
export function excuseSetup<T extends Judged>(
  check: T,
  lack: SetupLack | undefined,
  passedTests: number | undefined,
): T {
  if (lack === undefined || (passedTests ?? 0) > 0) return check;
  const { obstacle } = check;
  if (obstacle && consequences.includes(obstacle.code)) {
    const message = `${obstacle.message} ${describeLack(lack)}`;
    return { ...check, obstacle: { ...obstacle, message } };
  }
  if (check.status !== 'failed') return check;
  return {
    ...check,
    status: 'could_not_run',
    obstacle: { code: 'setup_failed', message: describeLack(lack) },
  };
}
