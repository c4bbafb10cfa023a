import type { CompletedCommand, Values } from './describe-program.ts';

export function toZsh(commands: CompletedCommand[]): string {
  const subcommands = commands.slice(1).map(({ path }) => quote(path));
  const valued = commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, value }) =>
      value === undefined ? [] : names.map((name) => ({ at: quote(`${path} ${name}`), value })),
    ),
  );
  return `#compdef fettle
# Completion of fettle for zsh: source <(fettle completion zsh)
_fettle() {
  local where=fettle previous= word
  local -i count=0
  local -a items
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$where $word" in
      ${subcommands.join('|')})
        where="$where $word" count=0 previous=
        continue ;;
    esac
    case "$where $previous" in
      ${valued.map(({ at }) => at).join('|')}) previous= ;;
      *)
        previous=$word
        [[ $word == -* ]] || count+=1 ;;
    esac
  done
  case "$where $previous" in
${valued.map(({ at, value }) => `    ${at}) ${complete(value)}; return ;;`).join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    case "$where" in
${commands.map(({ path, options }) => `      ${quote(path)}) items=(${options.flatMap(({ names, about }) => names.map((name) => describe(name, about))).join(' ')}) ;;`).join('\n')}
    esac
    _describe option items
    return
  fi
  case "$where $count" in
${commands.map((command) => `    ${quote(`${command.path} 0`)}) ${completeFirst(command, commands)} ;;`).join('\n')}
  esac
}
if [[ \${funcstack[1]} == _fettle ]]; then _fettle "$@"; else compdef _fettle fettle; fi
`;
}

function completeFirst({ path, first }: CompletedCommand, commands: CompletedCommand[]): string {
  const below = commands.filter((each) => each.path === `${path} ${each.name}`);
  if (below.length === 0) return complete(first);
  return `items=(${below.map(({ name, about }) => describe(name, about)).join(' ')}); _describe command items`;
}

function complete(values: Values): string {
  switch (values.kind) {
    case 'list':
      return `compadd -- ${values.values.map(quote).join(' ')}`;
    case 'ids':
      return `compadd -V ids -- \${(f)"$("$words[1]" completion ids 2>/dev/null)"}`;
    case 'files':
      return '_files';
    case 'none':
      return ':';
  }
}

/** A colon separates the item from its description. */
const describe = (name: string, about: string) => quote(`${name.replaceAll(':', '\\:')}:${about}`);
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
