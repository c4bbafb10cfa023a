import type { CompletedCommand, Values } from './describe-program.ts';

export function toBash(commands: CompletedCommand[]): string {
  const subcommands = commands.slice(1).map(({ path }) => `'${path}'`);
  const valued = commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, value }) =>
      value === undefined ? [] : names.map((name) => ({ at: `'${path} ${name}'`, value })),
    ),
  );
  return `# Completion of fettle for bash: source <(fettle completion bash)
_fettle() {
  local cur=\${COMP_WORDS[COMP_CWORD]} where=fettle previous= count=0 i word words=
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$where $word" in
      ${subcommands.join('|')})
        where="$where $word" count=0 previous=
        continue ;;
    esac
    case "$where $previous" in
      ${valued.map(({ at }) => at).join('|')}) previous= ;;
      *)
        previous=$word
        [[ $word == -* ]] || count=$((count + 1)) ;;
    esac
  done
  case "$where $previous" in
${valued.map(({ at, value }) => `    ${at}) ${complete(value)}; return ;;`).join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case "$where" in
${commands.map(({ path, options }) => `      '${path}') words='${options.flatMap(({ names }) => names).join(' ')}' ;;`).join('\n')}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    return
  fi
  case "$where $count" in
${commands.map((command) => `    '${command.path} 0') ${completeFirst(command, commands)} ;;`).join('\n')}
  esac
}
complete -o filenames -F _fettle fettle
`;
}

function completeFirst({ path, first }: CompletedCommand, commands: CompletedCommand[]): string {
  const below = commands.filter((each) => each.path === `${path} ${each.name}`).map(({ name }) => name);
  return complete(below.length > 0 ? { kind: 'list', values: below } : first);
}

function complete(values: Values): string {
  switch (values.kind) {
    case 'list':
      return `COMPREPLY=($(compgen -W '${values.values.join(' ')}' -- "$cur"))`;
    case 'ids':
      return `COMPREPLY=($(compgen -W "$("\${COMP_WORDS[0]}" completion ids 2>/dev/null)" -- "$cur"))`;
    case 'files':
      return 'COMPREPLY=($(compgen -f -- "$cur"))';
    case 'none':
      return ':';
  }
}
