/** From a claim to a workspace that the agent can start in: mirror, base commit, rules, sandbox, set-up. */
import type { RepositoryConfig } from '@fettle/contract';
import { type Checkpoints, collectPacks, openCheckpoints, readBlobAt } from '@fettle/git';
import { createPathJudge } from '@fettle/policy';
import { type Sandbox, SandboxError } from '@fettle/sandbox';
import { type Failure, failure } from './failure.ts';
import { type FoundBase, findBase } from './find-base.ts';
import { createHistory } from './history.ts';
import { openSandbox } from './open-sandbox.ts';
import { readRepositoryRules } from './repository-commands.ts';
import { runSetup } from './run-checks.ts';
import { createSaver } from './save-changes.ts';
import type { Work } from './work.ts';
import type { Workspace } from './workspace.ts';

export type Prepared = { ok: true; workspace: Workspace } | Failure;

const configBytes = 100_000;
const identity = { name: 'Fettle', email: 'fettle@localhost' };

export async function prepare(work: Work): Promise<Prepared> {
  const startedAt = performance.now();
  const base = await findBase(work);
  if (!base.ok) return base;
  const rules = await readRules(base);
  if (!rules.ok) return failure('bad_config', `.fettle/config.yml: ${rules.message}`);
  const opened = await tryOpenSandbox(work, base);
  if (!opened.ok) return opened;
  const { sandbox } = opened;

  let checkpoints: Checkpoints | undefined;
  const close = async () => {
    await Promise.all([sandbox.close(), checkpoints?.close()]);
    await collectPacks(base.mirror);
  };
  try {
    if (sandbox.warning) {
      await work.record({ type: 'notice', level: 'warning', code: 'sandbox', message: sandbox.warning });
    }
    const failed = await setUp(work, sandbox, rules.config.setup);
    if (failed) {
      await close();
      return failed;
    }
    checkpoints = await openCheckpoints({ ...base, ref: checkpointRef(work), base: base.commit, identity });
    const workspace = createWorkspace(work, { base, config: rules.config, sandbox, checkpoints, close });
    const place = { baseBranch: base.branch, baseCommit: base.commit, sandbox: sandbox.backend };
    await work.record({ type: 'workspace.ready', ...place, durationMs: performance.now() - startedAt });
    return { ok: true, workspace };
  } catch (error) {
    await close();
    throw error;
  }
}

const checkpointRef = ({ claim }: Work) => `refs/fettle/checkpoints/${claim.operation.id}`;

interface WorkspaceParts {
  base: FoundBase;
  config: RepositoryConfig;
  sandbox: Sandbox;
  checkpoints: Checkpoints;
  close(): Promise<void>;
}

function createWorkspace(
  work: Work,
  { base, config, sandbox, checkpoints, close }: WorkspaceParts,
): Workspace {
  const { mirror, branch, commit } = base;
  const { head } = checkpoints;
  const judgePath = createPathJudge(config.protectedPaths);
  return {
    mirror,
    baseBranch: branch,
    baseCommit: commit,
    config,
    sandbox,
    judgePath,
    history: createHistory({ mirror, base: commit, head }),
    head,
    saveChanges: createSaver({ mirror, sandbox, checkpoints, judgePath }),
    openFresh: (fresh) => openSandbox(work, { mirror, commit: fresh, branch }),
    close,
  };
}

async function readRules({ mirror, commit }: FoundBase) {
  return readRepositoryRules(async (path) => {
    const blob = await readBlobAt(mirror, commit, path, { maxBytes: configBytes });
    return blob?.bytes.toString('utf8');
  });
}

async function setUp(work: Work, sandbox: Sandbox, commands: string[]): Promise<Failure | undefined> {
  if (commands.length === 0) return undefined;
  const failed = await runSetup(work, sandbox, commands);
  if (failed) {
    const how = failed.timedOut ? 'ran into its time limit' : `exit code ${failed.exitCode}`;
    return failure('setup_failed', `${failed.command}: ${how}\n${failed.output.slice(-2_000)}`);
  }
  // What set-up leaves behind belongs to every sandbox of this repository, not to this change.
  await sandbox.adoptChanges({ signal: work.signal });
  return undefined;
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
