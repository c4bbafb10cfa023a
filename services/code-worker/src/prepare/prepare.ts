/** From a claim to a workspace that the agent can start in: mirror, base commit, rules, sandbox, set-up. */
import { collectPacks, listPaths, openCheckpoints } from '@fettle/git';
import { type Sandbox, SandboxError } from '@fettle/sandbox';
import type { Work } from '../attempt/attempt.ts';
import { type Failure, failure } from '../attempt/failure.ts';
import type { Earlier } from '../attempt/read-earlier.ts';
import { identity } from '../propose/identity.ts';
import { fillSandbox } from '../sandboxes/fill-sandbox.ts';
import { createSandboxBooks } from '../sandboxes/sandbox-usage.ts';
import { createWorkspace } from './create-workspace.ts';
import { findBase, findEarlierBase } from './find-base.ts';
import { noticeSource } from './notice-source.ts';
import { readRules } from './read-config.ts';
import { readInstructions } from './read-instructions.ts';
import { setUp } from './set-up.ts';
import { noticeFindings } from './use-findings.ts';
import type { Workspace } from './workspace.ts';

export type Prepared = { ok: true; workspace: Workspace } | Failure;

export async function prepare(work: Work, earlier: Earlier | undefined): Promise<Prepared> {
  const startedAt = performance.now();
  // It starts while git brings the mirror up to date.
  const starting = work.takeSandbox();
  // Whoever waits for it hears of a failure; until then nobody does.
  starting.catch(() => {});
  const found = await findBaseAndRules(work, earlier).catch(async (error: unknown) => {
    await discard(starting);
    throw error;
  });
  if (!found.ok) {
    await discard(starting);
    return found;
  }
  const { base, rules, instructions } = found;
  const head = earlier?.checkpoint ?? base.commit;
  const { mirror } = base;
  // All of this takes programs of its own, and none of it waits for another.
  const opening = openCheckpoints({ mirror, ref: checkpointRef(work), base: head, identity });
  const noticing = earlier ? undefined : noticeSource(work);
  const listing = listPaths(mirror, base.commit);
  const filling = fillSandbox(work, starting, { ...base, base: base.commit, commit: head });
  const books = createSandboxBooks(work);
  const close = async () => {
    const [filled, opened] = await Promise.allSettled([filling, opening, listing, noticing]);
    if (filled.status === 'fulfilled') books.close(filled.value);
    await Promise.all([books.allClosed(), opened.status === 'fulfilled' && opened.value.close()]);
    await tidyUp(work, mirror);
  };
  try {
    const [sandbox, checkpoints, paths] = await Promise.all([filling, opening, listing, noticing]);
    books.watch(sandbox);
    if (sandbox.warning) {
      await work.record({ type: 'notice', level: 'warning', code: 'sandbox', message: sandbox.warning });
    }
    const isTold = earlier?.base || work.claim.operation.request.kind === 'ask';
    if (rules.found && !isTold) await noticeFindings(work, rules.found);
    const ready = await setUp(work, sandbox, rules);
    if (!ready.ok) {
      await close();
      return ready;
    }
    const { config } = ready;
    const parts = { base, paths, config, instructions, sandbox, checkpoints, books, close };
    const workspace = createWorkspace(work, parts);
    const place = {
      ...{ baseBranch: base.branch, baseCommit: base.commit, sandbox: sandbox.backend },
      ...(sandbox.id !== undefined && { sandboxId: sandbox.id }),
      commands: workspace.commandPolicy.mode,
    };
    await work.record({ type: 'workspace.ready', ...place, durationMs: performance.now() - startedAt });
    return { ok: true, workspace };
  } catch (error) {
    await close();
    // The same tree is refused each time.
    if (error instanceof SandboxError && error.code === 'tree_refused')
      return failure('repository_refused', error.message);
    throw error;
  }
}

/** One for each attempt: whoever comes late writes where nobody looks. What counts is the record. */
const checkpointRef = ({ claim }: Work) => `refs/fettle/checkpoints/${claim.operation.id}/${claim.fence}`;

async function findBaseAndRules(work: Work, earlier: Earlier | undefined) {
  const base = earlier?.base
    ? await findEarlierBase(work, earlier.base, earlier.checkpoint)
    : await findBase(work);
  if (!base.ok) return base;
  const { mirror, commit } = base;
  const [rules, instructions] = await Promise.all([
    readRules(mirror, commit),
    readInstructions(mirror, commit),
  ]);
  if (!rules.ok) return failure('bad_config', `.fettle/config.yml: ${rules.message}`);
  // Before they are cut to what the model is told of them.
  const masked = instructions.map(({ path, text }) => ({ path, text: text && work.masking.mask(text) }));
  return { ok: true as const, base, rules, instructions: masked };
}

/** Whatever comes of it, another attempt can do it: it costs this one neither its outcome nor the time to hand over. */
async function tidyUp({ log, shouldYield, signal }: Work, mirror: string): Promise<void> {
  if (signal.aborted || shouldYield()) return;
  await collectPacks(mirror, signal).catch((error: Error) => {
    if (!signal.aborted) log.warn({ mirror, err: error }, 'a mirror could not be tidied up');
  });
}

/** Closes a sandbox that is not needed after all. */
async function discard(starting: Promise<Sandbox>): Promise<void> {
  await starting.then(
    (sandbox) => sandbox.close(),
    () => {},
  );
}
