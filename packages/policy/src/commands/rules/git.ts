import { gitReading } from './git-reading.ts';
import { gitWriting } from './git-writing.ts';
import type { Program, Refused } from './rule.ts';

const remote: Refused = {
  reason: 'the sandbox has no network and no credentials: what you change is pushed for you at the end',
  instead: 'leave it out; what is committed or not, all changed files are taken',
};
const configuration: Refused = {
  reason: 'settings of git can make it run programs',
  instead: 'leave it out; author and hooks are set for you',
};
const history: Refused = {
  reason: 'the proposal is one commit on the base: there is no history to arrange',
  instead: 'change the files and use git add and git commit; git restore takes changes back',
};
const elsewhere: Refused = {
  reason: 'git works on this repository only',
  instead: 'use cd, or name the paths',
};

function refuseAll(refused: Refused, names: string): Record<string, Refused> {
  return Object.fromEntries(names.split(' ').map((name) => [name, refused]));
}

export const git: Program = {
  names: ['git'],
  reason: 'reads the history, and keeps the agent’s own notes; nothing of it leaves the sandbox',
  flags: '--no-pager --version --no-optional-locks --literal-pathspecs -C=start',
  refused: {
    ...refuseAll(
      remote,
      'push pull fetch clone remote ls-remote send-email request-pull archive bundle daemon instaweb',
    ),
    ...refuseAll(configuration, 'config -c --config-env submodule lfs hook filter-branch credential'),
    ...refuseAll(history, 'rebase merge cherry-pick revert am apply bisect replace filter-repo gc prune'),
    ...refuseAll(elsewhere, '--git-dir --work-tree --exec-path worktree init'),
    '-p': { reason: 'a pager waits for keys', instead: 'leave it out' },
    clean: {
      reason: 'what it takes away is not in the line',
      instead: 'see git status, then use rm with names',
    },
  },
  subcommands: [...gitReading, ...gitWriting],
  match: ['git --version', 'git --no-pager log -1', 'git -C . status', 'git -C packages/a diff -- ../b/x.ts'],
  notMatch: [
    'git -c core.fsmonitor=id status',
    'git -ccore.fsmonitor=id status',
    'git -C / status',
    'git -C .. status',
    'git -C a -C ../.. status',
    'git -C a -C b log -1',
    'git -C a diff -- ../../x',
    'git -C .git status',
    'git -C a commit -F ../.env',
    'git -C/ status',
    'git -C',
    'git --config-env=alias.x=FOO x',
    'git push',
    'git config core.hooksPath .evil',
    'git sttaus',
  ],
};
