/**
 * Evidence that a change fixes a fault: the tests of the change, run against the sources of the base commit. A test
 * that fails there and passes with the change shows the fault.
 */
import { createHash } from 'node:crypto';
import { withoutKnown } from '@fettle/checks';
import type { FaultEvidence } from '@fettle/contract';
import { resolveTree } from '@fettle/git';
import type { Attempt } from '../attempt/attempt.ts';
import type { Workspace } from '../prepare/workspace.ts';
import type { BaseChecks } from '../verify/base-checks.ts';
import type { RanCheck } from '../verify/run-checks.ts';
import { isFixing } from './assess-proof.ts';
import { type ChangedTests, listChangedTests } from './changed-tests.ts';
import { couldNotRun, needsNames, nothing, readEvidence } from './read-evidence.ts';
import { readTests, runNamingTests, runTestsOnBase } from './run-tests-on-base.ts';

type Needs = Pick<Attempt, 'claim' | 'config' | 'record' | 'sandboxes' | 'secrets' | 'stop'>;

/** Whether the request is about a fault, and nobody turned the evidence off. */
function wantsEvidence({ claim, config }: Pick<Attempt, 'claim' | 'config'>): boolean {
  const { kind, evidence } = claim.operation.request;
  return isFixing(kind) && config.faultEvidence && evidence !== false;
}

export interface FaultEvidenceCollector {
  /** `after` is the test check of the commit. Undefined if the request is not about a fault. */
  collect(commit: string, after: RanCheck | undefined): Promise<FaultEvidence | undefined>;
  /** Tests that fail on the base, and that the change edited or removed so that they would not fail there any more. */
  listAltered(commit: string): Promise<string[]>;
}

/** Runs the same tests on the base only once: the checks of the last round and the proof usually agree on them. */
export function createEvidence(
  attempt: Needs,
  workspace: Workspace,
  base: BaseChecks,
): FaultEvidenceCollector {
  const known = new Map<string, RanCheck | undefined>();

  async function measure(commit: string, { written, gone }: ChangedTests): Promise<RanCheck | undefined> {
    if (written.length + gone.length === 0) return base.measure('test');
    const files = await readTests(workspace.mirror, commit, written);
    const hash = createHash('sha256').update(JSON.stringify(gone));
    for (const { path, kind, bytes } of files)
      hash.update(`${path}\0${kind}\0${bytes.length}\0`).update(bytes);
    const key = hash.digest('hex');
    if (!known.has(key)) known.set(key, await runTestsOnBase(attempt, workspace, { files, gone }));
    return known.get(key);
  }

  const named = new Map<string, Awaited<ReturnType<typeof runNamingTests>>>();

  async function nameRuns(commit: string, { written, gone }: ChangedTests) {
    const { mirror } = workspace;
    const tree = await resolveTree(mirror, commit);
    const files = await readTests(mirror, commit, written);
    if (!named.has(tree)) named.set(tree, await runNamingTests(attempt, workspace, { commit, files, gone }));
    return named.get(tree);
  }

  return {
    async collect(commit, after) {
      if (!isFixing(attempt.claim.operation.kind)) return undefined;
      if (!wantsEvidence(attempt)) return { status: 'off', ...nothing };
      if (after === undefined) return couldNotRun('The repository has no tests that Fettle can run.');
      if (after.status === 'could_not_run') return couldNotRun(after.obstacle?.message);
      const tests = await listChangedTests(workspace, commit);
      if (!tests.editsSources) {
        const message = 'The change edits nothing but tests and their data, so it fixes no fault.';
        return { status: 'none', message, ...nothing };
      }
      const paths = tests.written;
      const evidence = readEvidence({ before: await measure(commit, tests), after, paths });
      if (!needsNames(evidence)) return evidence;
      const runs = await nameRuns(commit, tests);
      return runs ? readEvidence({ ...runs, paths }) : evidence;
    },
    async listAltered(commit) {
      if (!isFixing(attempt.claim.operation.kind)) return [];
      const tests = await listChangedTests(workspace, commit);
      if (tests.written.length + tests.gone.length === 0) return [];
      const failures = (await base.measure('test'))?.report?.failures ?? [];
      if (failures.length === 0) return [];
      const ran = await measure(commit, tests);
      // Of tests that take long, only those in the changed files ran.
      const isPart = ran !== undefined && ran.command !== workspace.config.commands.test;
      const here = failures.filter(({ file = '' }) => !isPart || tests.written.includes(file));
      return withoutKnown(here, ran?.report?.failures ?? []).map(({ name, file = '' }) => name ?? file);
    },
  };
}
