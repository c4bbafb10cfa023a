/**
 * Flags that several git subcommands share. Omitted on purpose: flags that run a program (--ext-diff, --textconv),
 * write a file (--output) or read one from anywhere (-O, --no-index).
 */

export const diffFlags = `
  -p -u --patch -s --no-patch --numstat --shortstat --name-only --name-status --summary --raw --patch-with-stat
  --compact-summary --stat[=text] --dirstat[=text] --check --full-index --binary -a --text -z -R --relative[=read]
  --no-ext-diff --no-textconv --no-color --color[=name] --no-prefix --submodule[=name] --diff-filter=name
  -U=number --unified=number --inter-hunk-context=number -W --function-context --abbrev[=number]
  --minimal --patience --histogram --diff-algorithm=name --word-diff[=name] --word-diff-regex=pattern
  --color-words[=pattern] --no-renames -M[=count] --find-renames[=count] -C[=count] --find-copies[=count]
  -b -w --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-space-at-eol --ignore-cr-at-eol
  -S=text -G=pattern --pickaxe-regex --pickaxe-all --exit-code --quiet -q -c --cc -m
`;

export const logFlags = `
  --oneline --graph --all --follow --merges --no-merges --first-parent --reverse --abbrev-commit
  --no-abbrev-commit --no-decorate --decorate[=name] --topo-order --date-order --author-date-order --parents
  --children --left-right --cherry-pick --cherry-mark --boundary --full-history --simplify-merges --show-pulls
  --no-notes --source -n=number --max-count=number --skip=number --format=text --pretty[=text] --date=text
  --not --ancestry-path[=ref] --find-object=ref --walk-reflogs -g --no-walk --exclude-first-parent-only
  --relative-date --since=text --after=text --until=text --before=text --author=pattern --committer=pattern
  --grep=pattern -i --regexp-ignore-case -E -F -P --all-match --invert-grep --branches[=pattern]
  --tags[=pattern] --remotes[=pattern] --exclude=pattern -L=line-range
`;
