import type { Instruction } from '@fettle/agent';
import { createWithheldFinder, nameWithheld, type SetupLack, type WithheldFile } from '@fettle/check-run';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import { type Checkpoints, diffCommits, type TreePaths } from '@fettle/git';
import { type ContentFile, createPathJudge, judgeContent } from '@fettle/policy';
import type { Sandbox } from '@fettle/sandbox';
import { createCommandPolicy } from '../act/command-policy.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { createHistory } from '../mirror/history.ts';
import { readBase } from '../mirror/mirror.ts';
import { fillSandbox } from '../sandboxes/fill-sandbox.ts';
import type { SandboxUsage } from '../sandboxes/sandbox-usage.ts';
import { createChangeGuard, listProtected } from '../save/guard-changes.ts';
import { createChangeJudge } from '../save/judge-change.ts';
import { createSecretJudge } from '../save/judge-secrets.ts';
import { createBaseKeeper } from '../save/keep-bases.ts';
import { pathPermissions } from '../save/path-permissions.ts';
import { createSaver } from '../save/save-changes.ts';
import { createStrayFinder } from '../save/stray-files.ts';
import { createSecretSorter } from '../secrets/known-secrets.ts';
import type { CheckDurations } from '../verify/check-durations.ts';
import { createRecentChecks } from '../verify/recent-checks.ts';
import type { FoundBase } from './find-base.ts';
import type { Revising, UnusableCheck, Workspace } from './workspace.ts';

export interface WorkspaceParts {
  base: FoundBase;
  parent: string;
  diffBase: string;
  revising: Revising | undefined;
  /** The paths in the base commit. */
  paths: TreePaths;
  /** The files of the base commit that no sandbox gets. */
  withheld: WithheldFile[];
  config: RepositoryConfig;
  unusable: UnusableCheck[];
  setupLack: SetupLack | undefined;
  problems: string[];
  instructions: Instruction[];
  sandbox: Sandbox;
  checkpoints: Checkpoints;
  durations: CheckDurations;
  programs: string[];
  usage: SandboxUsage;
  close(): Promise<void>;
}

type WorkspaceNeeds = Pick<
  Attempt,
  'checkpoints' | 'claim' | 'config' | 'record' | 'sandboxes' | 'secrets' | 'stop'
>;

export function createWorkspace(
  attempt: WorkspaceNeeds,
  {
    base,
    parent,
    diffBase,
    revising,
    paths,
    withheld,
    config,
    unusable,
    setupLack,
    problems,
    instructions,
    sandbox,
    checkpoints,
    durations,
    programs,
    usage,
    close,
  }: WorkspaceParts,
): Workspace {
  const { mirror, branch, commit } = base;
  const { head } = checkpoints;
  const { changeRules } = attempt.config;
  const { operation, fence } = attempt.claim;
  const { redaction, readAllowances } = attempt.secrets;
  const judgePath = createPathJudge(pathPermissions(operation.request, config, changeRules));
  const sortSecrets = createSecretSorter({ mirror, base: commit, readAllowances });
  const readBefore = (path: string) => readBase(mirror, commit, path);
  const judges = {
    judgePath,
    judgeContent: (file: ContentFile) => judgeContent(file, changeRules),
    readBase: readBefore,
  };
  const judgeSecrets = createSecretJudge({
    own: redaction.places,
    findWithheld: createWithheldFinder(withheld),
    sort: sortSecrets,
    readBase: readBefore,
  });
  const guard = createChangeGuard(
    createChangeJudge({ ...judges, judgeSecrets }),
    listProtected(judgePath, paths),
    createStrayFinder(paths.files, operation.request.targetFiles),
  );
  // Without secrets: the scan before the push looks for them again, more thoroughly.
  const judgeChange = createChangeJudge({ ...judges, judgeSecrets: async () => [] });
  const label = `${operation.id} ${fence}`;
  const { signal } = attempt.stop;
  const bases = createBaseKeeper({ mirror, base: commit, store: attempt.checkpoints });
  const saveChanges = createSaver({
    ...{ mirror, sandbox, withheld, checkpoints, guard, label, signal },
    store: attempt.checkpoints,
    bases,
  });
  return {
    mirror,
    baseBranch: branch,
    baseCommit: commit,
    diffBase,
    parent,
    revising,
    config,
    unusableChecks: unusable,
    setupLack,
    problems,
    instructions,
    sandbox,
    recentChecks: createRecentChecks(head),
    durations,
    programs,
    withheld: nameWithheld(withheld),
    judgePath,
    commandPolicy: createCommandPolicy(attempt, config, { backend: sandbox.backend, judgePath }),
    judgeChange,
    sortSecrets,
    history: createHistory({ mirror, base: commit, head, withheld }),
    head,
    async isUnchanged() {
      if (head() === parent) return true;
      const { files } = await diffCommits({ mirror, from: parent, to: head(), maxBytes: 0 });
      return revising !== undefined && files.length === 0;
    },
    saveChanges,
    async saveRest() {
      const saved = await saveChanges();
      const { checkpoint, changed } = saved;
      if (checkpoint !== undefined)
        await attempt.record.append({ type: 'checkpoint.written', checkpoint, changed });
      return saved;
    },
    async openFresh(fresh) {
      const content = { mirror, commit: fresh, branch };
      return usage.watch(await fillSandbox(attempt, attempt.sandboxes.take(), content));
    },
    closeSandbox: usage.close,
    async close() {
      await bases.stored();
      await close();
    },
  };
}
