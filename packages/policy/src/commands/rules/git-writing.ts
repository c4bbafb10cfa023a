import type { Refused, Subcommand } from './rule.ts';

const interactive: Refused = { reason: 'there is no terminal to answer on', instead: 'name the paths' };
const hooks: Refused = {
  reason: 'hooks are the repository’s own guards',
  instead: 'leave it out, and fix what the hook reports',
};

export const gitWriting: Subcommand[] = [
  {
    names: ['add', 'stage'],
    reason: 'stages changes',
    flags: '-A -u -v -n -N --all --update --verbose --dry-run --intent-to-add --no-all',
    operands: ['pathspec...'],
    refused: {
      '-p': interactive,
      '-i': interactive,
      '-e': interactive,
      '--patch': interactive,
      '--interactive': interactive,
      '-f': { reason: 'ignored files are not part of the repository', instead: 'leave it out' },
    },
    match: ['git add -A', 'git add .', 'git add src/a.ts "src/*.test.ts"', 'git add -u -- src'],
    notMatch: [
      'git add -p',
      'git add -f dist',
      'git add /etc/passwd',
      'git add --pathspec-from-file=x',
      'git add .git/config',
    ],
  },
  {
    names: ['commit'],
    reason: 'keeps a note of the work; the proposal is a separate commit',
    flags: `
      -a -q -v -s --all --amend --no-edit --allow-empty --quiet --signoff --dry-run --no-gpg-sign
      --reset-author -m=text --message=text -F=message-file --file=message-file --fixup=ref --date=text
    `,
    operands: ['pathspec...'],
    needs: {
      flags: ['-m', '--message', '-F', '--file', '--no-edit', '--fixup', '--dry-run'],
      refused: { reason: 'without a message an editor would open', instead: 'git commit -m "message"' },
    },
    refused: { '-n': hooks, '--no-verify': hooks, '-p': interactive, '--patch': interactive },
    match: [
      "git commit -m 'feat: add `exec` wrapper'",
      'git commit -am "fix"',
      'git commit --amend --no-edit',
      'git commit -m "a" -m "b" -- src',
      'git commit -F notes.txt',
      "git commit -F - <<'EOF'\nfix: a\n\nb\nEOF",
    ],
    notMatch: [
      'git commit',
      'git commit -F /etc/passwd',
      'git commit --no-verify -m x',
      'git commit -nm x',
      'git commit -m "$(cat x)"',
      'git commit --trailer=x -m y',
      'git commit -F - -m x',
    ],
  },
  {
    names: ['branch'],
    reason: 'lists, creates and renames branches of the clone',
    flags: `
      -a -r -v -vv -m -M -d -D -l -q -f --all --remotes --verbose --list --show-current --move
      --delete --no-color --no-track --quiet --contains=ref --no-contains=ref --merged[=ref]
      --no-merged[=ref] --sort=text --format=text --points-at=ref --color[=name]
    `,
    operands: ['ref-pattern...'],
    match: [
      'git branch --show-current',
      "git branch --list 'feature/*' '*x*'",
      "git branch -a --list '*/x'",
      'git branch -a',
      'git branch feature/x',
      'git branch -D old',
      'git branch --merged main',
    ],
    notMatch: [
      'git branch --edit-description',
      'git branch -u origin/main',
      'git branch ../x',
      'git branch --list ~/x',
      'git branch --list *',
      'git branch --set-upstream-to=x',
    ],
  },
  {
    names: ['checkout'],
    reason: 'switches branches in the clone, or reverts changes',
    flags: '-b -q --quiet --detach --ours --theirs --no-track',
    operands: ['revision...'],
    afterDashes: 'pathspec...',
    refused: {
      '-f': { reason: 'it would discard work', instead: 'git restore with the paths' },
      '--force': { reason: 'it would discard work', instead: 'git restore with the paths' },
      '-p': interactive,
    },
    match: [
      'git checkout -- src/a.ts',
      'git checkout -b feature/x',
      'git checkout HEAD~1 -- src/a.ts',
      'git checkout main',
    ],
    notMatch: [
      'git checkout -f',
      'git checkout -p',
      'git checkout --pathspec-from-file=x',
      'git checkout -- /etc/x',
    ],
  },
  {
    names: ['switch'],
    reason: 'switches branches in the clone',
    flags: '-c -q --create --detach --quiet',
    operands: ['ref...'],
    match: ['git switch -c feature/x', 'git switch main', 'git switch -c x origin/main'],
    notMatch: ['git switch -f main', 'git switch --discard-changes main', 'git switch ../x', 'git switch -'],
  },
  {
    names: ['restore'],
    reason: 'reverts changes to files',
    flags: '-S -W -q --staged --worktree --quiet --ours --theirs -s=ref --source=ref',
    operands: ['pathspec...'],
    minOperands: 1,
    refused: { '-p': interactive, '--patch': interactive },
    match: ['git restore src/a.ts', 'git restore --staged .', 'git restore --source=HEAD~1 -- src/a.ts'],
    notMatch: ['git restore -p', 'git restore', 'git restore /etc/x', 'git restore --pathspec-from-file=x .'],
  },
  {
    names: ['reset'],
    reason: 'unstages changes, or undoes the agent’s own commits and keeps the files',
    flags: '-q --quiet --soft --mixed -N',
    operands: ['revision...'],
    afterDashes: 'pathspec...',
    refused: {
      '--hard': { reason: 'it would discard all work', instead: 'git restore with the paths' },
      '-p': interactive,
    },
    match: ['git reset', 'git reset HEAD~1', 'git reset --soft HEAD~1', 'git reset -- src/a.ts'],
    notMatch: ['git reset --hard', 'git reset --hard HEAD~1', 'git reset -p'],
  },
  {
    names: ['rm'],
    reason: 'deletes tracked files',
    flags: '-r -f -q -n --cached --quiet --dry-run --force --ignore-unmatch',
    operands: ['tracked-path...'],
    minOperands: 1,
    match: ['git rm src/a.ts', 'git rm -r --cached dist', 'git rm src/*.ts'],
    notMatch: [
      'git rm -r .',
      "git rm -r '*'",
      'git rm -r :/',
      "git rm -r ':(top).github'",
      'git rm /etc/x',
      'git rm .git/config',
      'git rm --pathspec-from-file=x',
    ],
  },
  {
    names: ['mv'],
    reason: 'moves tracked files',
    flags: '-f -k -n -v --force --dry-run --verbose',
    operands: ['delete...', 'write'],
    lastIsTarget: true,
    minOperands: 2,
    match: ['git mv src/a.ts src/b.ts'],
    notMatch: ['git mv a .git/hooks', 'git mv a /tmp', 'git mv a'],
  },
  {
    names: ['stash push', 'stash pop', 'stash apply', 'stash drop', 'stash'],
    reason: 'stashes changes and restores them',
    flags: `
      -u -q -k -S --include-untracked --keep-index --quiet --index --staged -m=text --message=text
    `,
    operands: ['ref'],
    afterDashes: 'pathspec...',
    refused: {
      clear: { reason: 'it would discard all work', instead: 'git stash drop' },
      '-p': interactive,
    },
    match: [
      'git stash',
      'git stash -u',
      'git stash pop',
      'git stash push -m "wip" -- src',
      'git stash drop stash@{0}',
    ],
    notMatch: ['git stash -p', 'git stash push -- /etc', 'git stash --all x'],
  },
];
