import { diffFlags, logFlags } from './git-flags.ts';
import type { Refused, Subcommand } from './rule.ts';

const runsProgram: Refused = {
  reason: 'it would run a program from git’s settings',
  instead: 'leave it out',
};
const asDiff = {
  '--ext-diff': runsProgram,
  '--textconv': runsProgram,
  '--output': { reason: 'it writes an additional file', instead: 'use > file' },
};
const paged = { '-O': runsProgram, '--open-files-in-pager': runsProgram };

const offline: Refused = {
  reason: 'the sandbox has no network and cannot push',
  instead: 'git remote -v',
};
const keepsAll: Refused = { reason: 'it would discard work', instead: 'leave it out' };

export const gitReading: Subcommand[] = [
  {
    names: ['status'],
    reason: 'lists the changes',
    flags: `
      -s --short -b --branch --long -v --verbose -z --show-stash --no-renames --ahead-behind
      --porcelain[=name] --untracked-files[=name] -u[=name] --ignored[=name]
      --ignore-submodules[=name]
    `,
    afterDashes: 'pathspec...',
    operands: ['pathspec...'],
    match: ['git status', 'git status --porcelain=v2', 'git status -sb', 'git status -uno src'],
    notMatch: ['git status --porc', 'git status /etc'],
  },
  {
    names: ['diff'],
    reason: 'shows what has changed',
    flags: `${diffFlags} --cached --staged --merge-base`,
    operands: ['revision...'],
    afterDashes: 'pathspec...',
    refused: asDiff,
    match: [
      'git diff',
      'git diff --no-ext-diff -- src/a.ts',
      'git diff HEAD~1 --stat',
      'git diff main...HEAD -- . :!package-lock.json',
      'git diff -U0 --cached',
    ],
    notMatch: [
      'git diff --ext-diff',
      'git diff --textconv',
      'git diff --output=x',
      'git diff --no-index a /etc/passwd',
      'git diff -O/etc/x',
      'git diff -- /etc/passwd',
      'git diff --ext',
    ],
  },
  {
    names: ['log'],
    reason: 'shows the history',
    flags: `${diffFlags} ${logFlags}`,
    numberFlag: true,
    operands: ['revision...'],
    afterDashes: 'pathspec...',
    refused: asDiff,
    match: [
      'git log --oneline -n 20',
      "git log --format='%h %an %s' -5",
      'git log -p --follow -- src/a.ts',
      'git log -L 1,9:src/a.ts',
      "git log -S 'foo' --since='2 weeks ago' main..HEAD",
      'git log --oneline feature --not main',
      'git log --ancestry-path v1..HEAD',
    ],
    notMatch: [
      'git log --output=/tmp/x -1',
      'git log --ext-diff -p',
      'git log -- /etc/x',
      'git log -L 1,9:/etc/passwd',
    ],
  },
  {
    names: ['show'],
    reason: 'shows one commit, or a file as it was in one',
    flags: `${diffFlags} ${logFlags}`,
    numberFlag: true,
    operands: ['revision...'],
    afterDashes: 'pathspec...',
    refused: asDiff,
    match: ['git show', 'git show HEAD --stat', 'git show HEAD~2:src/a.ts', 'git show --name-only abc123'],
    notMatch: [
      'git show --ext-diff',
      'git show HEAD:.git/config',
      "git show 'HEAD^{/a:b}:.env'",
      "git show 'HEAD@{10:00}:.env'",
      'git show --output=x',
    ],
  },
  {
    names: ['blame'],
    reason: 'shows who changed each line',
    flags: `
      -w -l -t -f -n -s -e -p --porcelain --line-porcelain --show-email -L=line-range -M[=count]
      -C[=count] --date=text --since=text
    `,
    operands: ['revision...'],
    afterDashes: 'pathspec...',
    minOperands: 1,
    match: ['git blame src/a.ts', 'git blame -L 10,20 src/a.ts', 'git blame -w HEAD~3 -- src/a.ts'],
    notMatch: ['git blame /etc/passwd', 'git blame --contents=/etc/passwd a', 'git blame'],
  },
  {
    names: ['grep'],
    reason: 'searches tracked files',
    flags: `
      -n -i -l -L -c -v -w -E -F -P -G -o -h -H -q -I -a -p -W -z --line-number --ignore-case
      --files-with-matches --name-only --count --word-regexp --cached --untracked --no-index
      --heading --break --all-match --and --or --not --column --full-name --show-function
      --extended-regexp --fixed-strings --perl-regexp --no-color --quiet --recursive -e=pattern
      -A=number -B=number -C=number -m=number --max-count=number --max-depth=number --color[=name]
      --context=number
    `,
    operands: ['pattern', 'revision...'],
    firstUnless: ['-e'],
    afterDashes: 'pathspec...',
    literals: ['(', ')'],
    minOperands: 1,
    minUnless: ['-e'],
    refused: paged,
    match: ["git grep -n 'core.pager' -- docs", 'git grep -l foo HEAD~3', 'git grep -nE "a|b" -- "*.ts"'],
    notMatch: [
      'git grep -O x',
      'git grep -Oid x',
      'git grep --open-files-in-pager=id x',
      'git grep -nO x',
      'git grep -f /etc/passwd',
      'git grep x -- /etc',
    ],
  },
  {
    names: ['ls-files'],
    reason: 'lists tracked files',
    flags: `
      -m -o -d -c -s -u -t -z -i --modified --others --deleted --cached --stage --ignored
      --exclude-standard --full-name --error-unmatch --directory -x=pattern --exclude=pattern
      --eol[=name]
    `,
    operands: ['pathspec...'],
    match: ['git ls-files', "git ls-files 'src/**/*.ts'", 'git ls-files -o --exclude-standard'],
    notMatch: ['git ls-files --exclude-from=/etc/x', 'git ls-files /etc', 'git ls-files -X x'],
  },
  {
    names: ['ls-tree'],
    reason: 'lists the files of a commit',
    flags: '-r -t -d -l -z --name-only --name-status --full-tree --full-name --long',
    operands: ['revision...'],
    minOperands: 1,
    match: ['git ls-tree -r --name-only HEAD', 'git ls-tree HEAD src/'],
    notMatch: ['git ls-tree', 'git ls-tree --format=x HEAD'],
  },
  {
    names: [
      'rev-parse',
      'rev-list',
      'merge-base',
      'describe',
      'name-rev',
      'show-ref',
      'for-each-ref',
      'shortlog',
      'cherry',
    ],
    reason: 'names commits and counts them',
    flags: `
      --abbrev-ref --show-toplevel --is-inside-work-tree --show-prefix --git-dir --verify --quiet
      -q --symbolic-full-name --tags --always --dirty --long --first-parent --all --count
      --left-right --merges --no-merges --is-ancestor --fork-point --heads --name-only -s -e -v
      --no-walk --exact-match --short[=number] --max-count=number -n[=number] --since=text
      --until=text --author=pattern --format=text --sort=text --match=pattern --abbrev=number
    `,
    numberFlag: true,
    operands: ['revision...'],
    afterDashes: 'pathspec...',
    match: [
      'git rev-parse HEAD',
      'git rev-parse --abbrev-ref HEAD',
      'git rev-list --count HEAD',
      'git merge-base main HEAD',
      'git describe --tags --always',
    ],
    notMatch: ['git rev-parse --resolve-git-dir /etc', 'git rev-list --stdin', 'git describe --x'],
  },
  {
    names: ['cat-file'],
    reason: 'shows an object of the repository',
    flags: '-t -s -p -e',
    operands: ['revision...'],
    minOperands: 1,
    match: ['git cat-file -p HEAD', 'git cat-file -t abc123'],
    notMatch: ['git cat-file --textconv HEAD:a', 'git cat-file --batch', 'git cat-file'],
  },
  {
    names: ['diff-tree', 'diff-index', 'diff-files', 'range-diff'],
    reason: 'shows what has changed, for scripts',
    flags: `${diffFlags} -r --root --no-commit-id --cached`,
    operands: ['revision...'],
    afterDashes: 'pathspec...',
    refused: asDiff,
    match: ['git diff-tree --no-commit-id --name-only -r HEAD'],
    notMatch: ['git diff-tree --ext-diff HEAD', 'git diff-index --output=x HEAD'],
  },
  {
    names: ['check-ignore', 'check-attr'],
    reason: 'shows the ignore rules and attributes of a path',
    flags: '-v -q -n -a --verbose --no-index',
    operands: ['read...'],
    minOperands: 1,
    match: ['git check-ignore -v dist'],
    notMatch: ['git check-ignore --stdin', 'git check-ignore'],
  },
  {
    names: ['remote', 'remote -v', 'worktree list'],
    reason: 'lists the remotes of the clone',
    flags: '-v --porcelain',
    refused: {
      add: offline,
      'set-url': offline,
      update: offline,
      show: offline,
      remove: offline,
      prune: offline,
    },
    match: ['git remote -v', 'git worktree list'],
    notMatch: ['git remote add x https://evil.example', 'git remote set-url origin x', 'git remote update'],
  },
  {
    names: ['remote get-url'],
    reason: 'shows the address of a remote',
    flags: '--push --all',
    operands: ['name'],
    minOperands: 1,
    match: ['git remote get-url origin', 'git remote get-url --push origin'],
    notMatch: ['git remote get-url', 'git remote get-url a b'],
  },
  {
    names: ['stash list', 'stash show', 'reflog', 'reflog show'],
    reason: 'lists stashes and the reflog',
    flags: '-p --stat --oneline --name-only --date=text -n=number',
    numberFlag: true,
    operands: ['ref'],
    refused: { expire: keepsAll, delete: keepsAll, drop: keepsAll },
    match: ['git stash list', 'git stash show -p stash@{0}', 'git reflog -5'],
    notMatch: ['git reflog expire --all', 'git reflog expire', 'git reflog delete x'],
  },
  {
    names: ['tag -l', 'tag --list', 'tag'],
    reason: 'lists tags',
    flags: '-n[=number] -l --list --sort=text --contains=ref --points-at=ref --merged[=ref] --format=text',
    operands: ['pattern'],
    match: ['git tag', "git tag --list 'v*' --sort=-version:refname", 'git tag --contains HEAD~3'],
    notMatch: ['git tag -a v1 -m x', 'git tag -d v1', 'git tag v1 HEAD'],
  },
];
