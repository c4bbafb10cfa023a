/** From a claim to a workspace in which the agent can start: mirror, base commit, config, sandbox, set-up. */
import type { Instruction } from '@fettle/agent';
import { type FoundConfig, findWithheld, nameWithheld, readConfig } from '@fettle/check-run';
import { collectPacks, listPaths, openCheckpoints } from '@fettle/git';
import { type Sandbox, SandboxError } from '@fettle/sandbox';
import type { Equipment } from '@fettle/toolchain';
import type { Attempt } from '../attempt/attempt.ts';
import { type Failure, failure } from '../attempt/ends.ts';
import type { Earlier } from '../attempt/read-earlier.ts';
import type { Revision } from '../attempt/read-revision.ts';
import { checkpointRef } from '../mirror/mirror.ts';
import { identity } from '../propose/identity.ts';
import { fillSandbox } from '../sandboxes/fill-sandbox.ts';
import { createSandboxUsage } from '../sandboxes/sandbox-usage.ts';
import { findSecretsAgain } from '../secrets/masking/find-secrets-again.ts';
import { requireScanner } from '../secrets/require-scanner.ts';
import { openCheckDurations } from '../verify/check-durations.ts';
import { createWorkspace } from './create-workspace.ts';
import { type FoundBase, findBase, findEarlierBase } from './find-base.ts';
import { findDiffBase } from './find-diff-base.ts';
import { type FollowedBranch, followBranch } from './follow-branch.ts';
import { noticeSource } from './notice-source.ts';
import { readInstructions } from './read-instructions.ts';
import { setUp } from './set-up.ts';
import { noticeFindings } from './use-findings.ts';
import type { Workspace } from './workspace.ts';

export type Prepared = { ok: true; workspace: Workspace } | Failure;

type Stage = Omit<Attempt, 'publish' | 'spent' | 'state'>;

export async function prepare(attempt: Stage, earlier: Earlier | undefined): Promise<Prepared> {
  const startedAt = performance.now();
  const { model } = attempt;
  if (model.problem !== undefined) return failure('model_unavailable', model.problem);
  // Starts while git updates the mirror.
  const starting = attempt.sandboxes.take();
  // A failure is handled where the sandbox is awaited; until then it must not count as unhandled.
  starting.catch(() => {});
  const found = await findSource(attempt, earlier).catch(async (error: unknown) => {
    await discard(starting);
    throw error;
  });
  if (!found.ok) {
    await discard(starting);
    return found;
  }
  return openWorkspace(attempt, { ...found, earlier, starting, startedAt });
}

interface Source {
  base: FoundBase;
  /** Where a revision continues. */
  followed: FollowedBranch | undefined;
  config: FoundConfig;
  instructions: Instruction[];
}

/** Finds the base commit, and reads its config and instructions. */
async function findSource(
  attempt: Stage,
  earlier: Earlier | undefined,
): Promise<({ ok: true } & Source) | Failure> {
  const followed = earlier?.revision && (await followBranch(attempt, earlier.revision));
  if (followed && !followed.ok) return followed;
  const base = earlier?.base
    ? await findEarlierBase(attempt, earlier.base, followed?.checkpoint ?? earlier.checkpoint)
    : await findBase(attempt);
  if (!base.ok) return base;
  const { mirror, commit } = base;
  const [config, instructions] = await Promise.all([
    readConfig(mirror, commit),
    readInstructions(mirror, commit),
  ]);
  if (!config.ok) return failure('bad_config', `.fettle/config.yml: ${config.message}`);
  // Masked before they are cut to fit the prompt: half a secret would not be recognised.
  const { mask } = attempt.secrets.masking;
  const masked = instructions.map(({ path, text }) => ({ path, text: text && mask(text) }));
  return { ok: true, base, followed, config, instructions: masked };
}

interface Opening extends Source {
  earlier: Earlier | undefined;
  starting: Promise<Sandbox>;
  startedAt: number;
}

async function openWorkspace(
  attempt: Stage,
  { base, followed, config: foundConfig, instructions, earlier, starting, startedAt }: Opening,
): Promise<Prepared> {
  const { claim, record } = attempt;
  const { mirror } = base;
  const head = followed?.checkpoint ?? earlier?.checkpoint ?? base.commit;
  // These run in parallel: each spends its time in other processes.
  const opening = openCheckpoints({ mirror, ref: checkpointRef(attempt), base: head, identity });
  const noticing = earlier ? undefined : noticeSource(attempt);
  const listing = listPaths(mirror, base.commit);
  const withholding = findWithheld(mirror, base.commit);
  const scanning = requireScanner(attempt);
  let equipped: Equipment = { tools: [], problems: [] };
  const onEquipped = async (equipment: Equipment) => {
    equipped = equipment;
    const message = equipment.problems.join('\n');
    if (message !== '')
      await record.append({ type: 'notice', level: 'warning', code: 'not_usable', message });
  };
  const content = { ...base, base: base.commit, commit: head, onEquipped };
  const filling = fillSandbox(attempt, starting, content);
  const usage = createSandboxUsage(attempt);
  const close = async () => {
    const [filled, opened] = await Promise.allSettled([
      filling,
      opening,
      listing,
      withholding,
      noticing,
      scanning,
    ]);
    if (filled.status === 'fulfilled') usage.close(filled.value);
    await Promise.all([usage.allClosed(), opened.status === 'fulfilled' && opened.value.close()]);
    await tidyUp(attempt, mirror);
  };
  try {
    const [sandbox, checkpoints, paths, withheld] = await Promise.all([
      ...([filling, opening, listing, withholding] as const),
      noticing,
      scanning,
    ]);
    usage.watch(sandbox);
    if (sandbox.warning)
      await record.append({ type: 'notice', level: 'warning', code: 'sandbox', message: sandbox.warning });
    const isNoticed = earlier?.base || claim.operation.request.kind === 'ask';
    if (!isNoticed) await noticeFindings(record, foundConfig);
    const { tools, problems } = equipped;
    const surroundings = { withheld: nameWithheld(withheld), problems };
    const ready = await setUp(attempt, sandbox, { ...foundConfig, ...surroundings });
    if (!ready.ok) {
      await close();
      return ready;
    }
    const { config, unusable, lack: setupLack } = ready;
    const parent = followed?.parent ?? base.commit;
    const workspace = createWorkspace(attempt, {
      ...{
        base,
        paths,
        withheld,
        config,
        unusable,
        setupLack,
        problems,
        instructions,
        sandbox,
        checkpoints,
        usage,
        close,
      },
      parent,
      diffBase: await findDiffBase(mirror, base, parent),
      revising: followed && earlier?.revision && describeRevising(earlier.revision, followed),
      durations: await openCheckDurations(attempt),
      programs: await attempt.sandboxes.listPrograms(sandbox, tools, attempt.stop.signal),
    });
    await record.append({
      type: 'workspace.ready',
      ...{ baseBranch: base.branch, baseCommit: base.commit, sandbox: sandbox.backend },
      ...(sandbox.id !== undefined && { sandboxId: sandbox.id }),
      model: attempt.model.name,
      commands: workspace.commandPolicy.mode,
      durationMs: performance.now() - startedAt,
    });
    if (earlier) await findSecretsAgain(attempt, workspace, earlier);
    return { ok: true, workspace };
  } catch (error) {
    await close();
    // A retry would not help: the same tree is refused each time.
    if (error instanceof SandboxError && error.code === 'tree_refused')
      return failure('repository_refused', error.message);
    throw error;
  }
}

function describeRevising(
  { proposed, discarded }: Revision,
  { changedByOthers }: FollowedBranch,
): NonNullable<Workspace['revising']> {
  return { branch: proposed.branch, changedByOthers, discarded };
}

/** Repacks the mirror. Optional: any later attempt can do it, and it must not delay a hand-over. */
async function tidyUp({ log, stop }: Pick<Attempt, 'log' | 'stop'>, mirror: string): Promise<void> {
  const { signal } = stop;
  if (signal.aborted || stop.shouldYield()) return;
  await collectPacks(mirror, signal).catch((error: Error) => {
    if (!signal.aborted) log.warn({ mirror, err: error }, 'could not repack a mirror');
  });
}

async function discard(starting: Promise<Sandbox>): Promise<void> {
  await starting.then(
    (sandbox) => sandbox.close(),
    () => {},
  );
}
