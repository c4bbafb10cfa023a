import type { Instruction } from '@fettle/agent';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import type { Checkpoints, TreePaths } from '@fettle/git';
import { type ContentFile, createPathJudge, judgeContent } from '@fettle/policy';
import type { Sandbox } from '@fettle/sandbox';
import { createCommandPolicy } from '../act/command-policy.ts';
import type { Work } from '../attempt/attempt.ts';
import { createHistory } from '../mirror/history.ts';
import { readBase } from '../mirror/read-base.ts';
import { fillSandbox } from '../sandboxes/fill-sandbox.ts';
import type { SandboxBooks } from '../sandboxes/sandbox-usage.ts';
import { createChangeGuard, listProtected } from '../save/guard-changes.ts';
import { createChangeJudge } from '../save/judge-change.ts';
import { createSecretJudge } from '../save/judge-secrets.ts';
import { pathPermissions } from '../save/path-permissions.ts';
import { createSaver } from '../save/save-changes.ts';
import { createStanding } from '../secrets/known-secrets.ts';
import type { FoundBase } from './find-base.ts';
import type { Workspace } from './workspace.ts';

export interface WorkspaceParts {
  base: FoundBase;
  /** Of the base commit. */
  paths: TreePaths;
  config: RepositoryConfig;
  instructions: Instruction[];
  sandbox: Sandbox;
  checkpoints: Checkpoints;
  books: SandboxBooks;
  close(): Promise<void>;
}

/** What the stages work with, once everything it is made of is there. */
export function createWorkspace(
  work: Work,
  { base, paths, config, instructions, sandbox, checkpoints, books, close }: WorkspaceParts,
): Workspace {
  const { mirror, branch, commit } = base;
  const { head } = checkpoints;
  const { changeRules } = work.config;
  const judgePath = createPathJudge(pathPermissions(work.claim.operation.request, config, changeRules));
  const sortSecrets = createStanding({ mirror, base: commit, readAllowances: work.readAllowances });
  const readBefore = (path: string) => readBase(mirror, commit, path);
  const judges = {
    judgePath,
    judgeContent: (file: ContentFile) => judgeContent(file, changeRules),
    readBase: readBefore,
  };
  const judgeSecrets = createSecretJudge({
    own: work.redaction.places,
    sort: sortSecrets,
    readBase: readBefore,
  });
  const guard = createChangeGuard(
    createChangeJudge({ ...judges, judgeSecrets }),
    listProtected(judgePath, paths),
  );
  // A scan of the whole push looks for secrets once more, and better.
  const judgeChange = createChangeJudge({ ...judges, judgeSecrets: async () => [] });
  const label = `${work.claim.operation.id} ${work.claim.fence}`;
  const saveChanges = createSaver({ mirror, sandbox, checkpoints, guard, label, signal: work.signal });
  return {
    mirror,
    baseBranch: branch,
    baseCommit: commit,
    config,
    instructions,
    sandbox,
    judgePath,
    commandPolicy: createCommandPolicy(work, config, { backend: sandbox.backend, judgePath }),
    judgeChange,
    sortSecrets,
    history: createHistory({ mirror, base: commit, head }),
    head,
    saveChanges,
    async saveRest() {
      const saved = await saveChanges();
      const { checkpoint, changed } = saved;
      if (checkpoint !== undefined) await work.record({ type: 'checkpoint.written', checkpoint, changed });
      return saved;
    },
    async openFresh(fresh) {
      return books.watch(await fillSandbox(work, work.takeSandbox(), { mirror, commit: fresh, branch }));
    },
    closeSandbox: books.close,
    close,
  };
}
