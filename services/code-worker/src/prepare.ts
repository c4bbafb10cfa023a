/** From a claim to a workspace that the agent can start in: mirror, base commit, rules, sandbox, set-up. */
import { join } from 'node:path';
import type { Outcome, ReasonCode } from '@fettle/contract';
import { GitError, inspectSource, openCheckpoints, readBlobAt, syncMirror } from '@fettle/git';
import { createPathJudge } from '@fettle/policy';
import { SandboxError } from '@fettle/sandbox';
import { createHistory } from './history.ts';
import { openSandbox } from './open-sandbox.ts';
import { readRepositoryRules } from './repository-commands.ts';
import { runSetup } from './run-checks.ts';
import { createSaver } from './save-changes.ts';
import type { Work } from './work.ts';
import type { Workspace } from './workspace.ts';

export type Prepared = { ok: true; workspace: Workspace } | { ok: false; outcome: Outcome };

const configBytes = 100_000;
const identity = { name: 'Fettle', email: 'fettle@localhost' };

export async function prepare(work: Work): Promise<Prepared> {
  const startedAt = performance.now();
  const base = await findBase(work);
  if (!base.ok) return base;
  const { mirror, branch, commit } = base;

  const readText = async (path: string) =>
    (await readBlobAt(mirror, commit, path, { maxBytes: configBytes }))?.bytes.toString('utf8');
  const rules = await readRepositoryRules(readText);
  if (!rules.ok) return failure('bad_config', `.fettle/config.yml: ${rules.message}`);
  const { config } = rules;

  const opened = await tryOpenSandbox(work, { mirror, commit, branch });
  if (!opened.ok) return opened;
  const { sandbox } = opened;
  const ref = `refs/fettle/checkpoints/${work.claim.operation.id}`;
  const checkpoints = await openCheckpoints({ mirror, ref, base: commit, identity });
  const judgePath = createPathJudge(config.protectedPaths);
  const close = async () => {
    await Promise.all([sandbox.close(), checkpoints.close()]);
  };

  if (sandbox.warning)
    await work.record({ type: 'notice', level: 'warning', code: 'sandbox', message: sandbox.warning });
  const failedSetup = await runSetup(work, sandbox, config.setup);
  if (failedSetup) {
    await close();
    return failure(
      'setup_failed',
      `${failedSetup.command}: exit code ${failedSetup.exitCode}\n${failedSetup.output.slice(-2_000)}`,
    );
  }
  // What set-up leaves behind belongs to every sandbox of this repository, not to this change.
  await sandbox.changes({ maxFiles: 1_000_000, maxBytes: 0 });
  const ready = { baseBranch: branch, baseCommit: commit, sandbox: sandbox.backend };
  await work.record({ type: 'workspace.ready', ...ready, durationMs: performance.now() - startedAt });
  return {
    ok: true,
    workspace: {
      mirror,
      baseBranch: branch,
      baseCommit: commit,
      config,
      sandbox,
      judgePath,
      history: createHistory({ mirror, base: commit, head: checkpoints.head }),
      head: checkpoints.head,
      saveChanges: createSaver({ mirror, sandbox, checkpoints, judgePath }),
      openFresh: (fresh) => openSandbox(work, { mirror, commit: fresh, branch }),
      close,
    },
  };
}

type Base = { ok: true; mirror: string; branch: string; commit: string } | { ok: false; outcome: Outcome };

async function findBase({ claim, config, record, signal }: Work): Promise<Base> {
  const { source, operation } = claim;
  const mirror = join(config.home, 'mirrors', `${source.repositoryId}.git`);
  try {
    const [{ heads, defaultBranch, empty }, inspected] = await Promise.all([
      syncMirror({ mirror, source: source.url, signal }),
      inspectSource(source.url),
    ]);
    if (inspected.hasUncommittedChanges) {
      const message = 'The repository has uncommitted changes; they are not part of this operation.';
      await record({ type: 'notice', level: 'info', code: 'uncommitted_changes', message });
    }
    if (empty)
      return failure('repository_empty', `${operation.repository} has no commit yet: commit something first`);
    const branch = operation.request.baseBranch ?? defaultBranch;
    const commit = branch === undefined ? undefined : heads.get(branch);
    if (branch === undefined || commit === undefined) {
      const known = [...heads.keys()].slice(0, 10).join(', ');
      return failure(
        'base_branch_not_found',
        `there is no branch ${branch ?? '(HEAD names none)'}; there are: ${known}`,
      );
    }
    return { ok: true, mirror, branch, commit };
  } catch (error) {
    if (!(error instanceof GitError) || error.code === 'cancelled') throw error;
    return failure(
      error.code === 'not_a_repository' ? 'repository_not_found' : 'repository_unreachable',
      error.message,
    );
  }
}

async function tryOpenSandbox(work: Work, content: Parameters<typeof openSandbox>[1]) {
  try {
    return { ok: true as const, sandbox: await openSandbox(work, content) };
  } catch (error) {
    work.signal.throwIfAborted();
    if (error instanceof SandboxError) return failure('sandbox_unavailable', error.message);
    throw error;
  }
}

function failure(reason: ReasonCode, message: string): { ok: false; outcome: Outcome } {
  return { ok: false, outcome: { kind: 'failure', reason, message } };
}
