/** Writes the discovered commands as a `.fettle/config.yml` that the user can edit. */
import { checks, type Discovered } from './discovered.ts';
import { orderChecks } from './order-checks.ts';

const head = `# How Fettle works on this repository: the commands that set it up, and the checks that a change must pass.
# Written by \`fettle init\` from the files in this repository. Fettle reads it from the base branch, so commit it.
version: 1
`;

const examples = { typecheck: 'npm run typecheck', lint: 'npm run lint', format: 'npm run format:check' };

export function composeConfig({ setup, commands, afterBuild, remarks }: Discovered): string {
  const installs = setup.map(({ command, source }) => `  - ${scalar(command)} # ${source}`);
  const named = orderChecks(afterBuild).flatMap((check) => {
    const found = commands[check];
    return found === undefined ? [] : [`  ${check}: ${scalar(found.command)} # ${found.source}`];
  });
  const missing = checks.filter((check) => commands[check] === undefined);
  return [
    head,
    block('setup', 'run in order in each new sandbox; if one fails, the operation fails', installs, [
      '  - npm ci',
    ]),
    block('commands', 'the checks that a change must pass, in order; each must exit with code 0', named, [
      ...Object.entries({ ...examples, test: 'npm test', build: 'npm run build' }).map(
        ([check, command]) => `  ${check}: ${command}`,
      ),
    ]),
    named.length > 0 && missing.length > 0 ? `  # not found: ${missing.join(', ')}\n` : '',
    remarks.length > 0 ? `\n${remarks.map((remark) => `# ${remark}\n`).join('')}` : '',
  ].join('');
}

/** A key without a value is an error, so an empty block is a commented example. */
function block(name: string, meaning: string, lines: string[], example: string[]): string {
  const isEmpty = lines.length === 0;
  const all = [
    `${name}: # ${isEmpty ? 'no commands were found; for example' : meaning}`,
    ...(isEmpty ? example : lines),
  ];
  return all.map((line) => (isEmpty ? `# ${line}\n` : `${line}\n`)).join('');
}

/** Our commands are valid plain scalars. Other text is quoted as JSON, which YAML can read. */
function scalar(text: string): string {
  return /^[\w.][\w ./@=-]*(:[\w-]+)?$/.test(text) ? text : JSON.stringify(text);
}
