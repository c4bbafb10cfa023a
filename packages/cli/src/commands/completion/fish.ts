import type { CompletedCommand, CompletedOption, Values } from './describe-program.ts';

export function toFish(commands: CompletedCommand[]): string {
  const valued = commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, value }) =>
      value === undefined ? [] : names.map((name) => `${path} ${name}`),
    ),
  );
  return `# Completion of fettle for fish: fettle completion fish > ~/.config/fish/completions/fettle.fish
set -g __fettle_commands ${commands
    .slice(1)
    .map(({ path }) => quote(path))
    .join(' ')}
set -g __fettle_valued ${valued.map(quote).join(' ')}

# Prints the command that is being typed, and how many arguments it has so far.
function __fettle_where
  set -l where fettle
  set -l count 0
  set -l previous ''
  for word in (commandline -opc)[2..-1]
    if contains -- "$where $word" $__fettle_commands
      set where "$where $word"
      set count 0
      set previous ''
    else if contains -- "$where $previous" $__fettle_valued
      set previous ''
    else
      set previous $word
      string match -q -- '-*' $word; or set count (math $count + 1)
    end
  end
  echo "$where $count"
end

function __fettle_at
  string replace -r ' [0-9]+$' '' -- (__fettle_where) | string match -q -- "$argv[1]"
end

function __fettle_first
  test "$argv[1] 0" = (__fettle_where)
end

function __fettle_ids
  set -l program (commandline -opc)[1]
  $program completion ids 2>/dev/null
end

complete -c fettle -f
${commands.map((command) => describeCommand(command, commands)).join('\n')}
`;
}

function describeCommand({ path, options, first }: CompletedCommand, commands: CompletedCommand[]): string {
  const below = commands.filter((each) => each.path === `${path} ${each.name}`);
  const at = (condition: string) => `complete -c fettle -n ${quote(`${condition} ${quote(path)}`)}`;
  return [
    ...below.map(({ name, about }) => `${at('__fettle_first')} -a ${name} -d ${quote(about)}`),
    ...(below.length > 0 || first.kind === 'none' ? [] : [`${at('__fettle_first')} ${complete(first)}`]),
    ...options.map((option) => `${at('__fettle_at')} ${describeOption(option)}`),
  ].join('\n');
}

function describeOption({ names, about, value }: CompletedOption): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return [...flags, ...(value ? ['-r', complete(value)] : []), `-d ${quote(about)}`]
    .filter(Boolean)
    .join(' ');
}

function complete(values: Values): string {
  switch (values.kind) {
    case 'list':
      return `-f -a ${quote(values.values.join(' '))}`;
    case 'ids':
      return `-f -k -a '(__fettle_ids)'`;
    case 'files':
      return '-F';
    case 'none':
      return '-f';
  }
}

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
