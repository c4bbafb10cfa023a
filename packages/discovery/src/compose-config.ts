/** What was found as the text of a `.fettle/config.yml` that a person can go on writing. */
import { checks, type Findings } from './findings.ts';

const head = `# How Fettle works on this repository: what sets it up, and which checks prove a change.
# Written by \`fettle init\` from the files that are here; it counts once it is committed to the base branch.
version: 1
`;

const examples = { typecheck: 'npm run typecheck', lint: 'npm run lint', format: 'npm run format:check' };

export function composeConfig({ setup, commands, remarks }: Findings): string {
  const installs = setup.map(({ command, source }) => `  - ${scalar(command)} # ${source}`);
  const named = checks.flatMap((check) => {
    const found = commands[check];
    return found === undefined ? [] : [`  ${check}: ${scalar(found.command)} # ${found.source}`];
  });
  const missing = checks.filter((check) => commands[check] === undefined);
  return [
    head,
    block('setup', 'run once in each new sandbox, in order; one that fails ends the operation', installs, [
      '  - npm ci',
    ]),
    block('commands', 'what proves a change; each must end with exit code 0', named, [
      ...Object.entries({ ...examples, test: 'npm test', build: 'npm run build' }).map(
        ([check, command]) => `  ${check}: ${command}`,
      ),
    ]),
    named.length > 0 && missing.length > 0 ? `  # not found: ${missing.join(', ')}\n` : '',
    remarks.length > 0 ? `\n${remarks.map((remark) => `# ${remark}\n`).join('')}` : '',
  ].join('');
}

/** A key without a value would be an error, so that an empty block is an example in a comment. */
function block(name: string, meaning: string, lines: string[], example: string[]): string {
  const isEmpty = lines.length === 0;
  const all = [
    `${name}: # ${isEmpty ? 'nothing was found; for example' : meaning}`,
    ...(isEmpty ? example : lines),
  ];
  return all.map((line) => (isEmpty ? `# ${line}\n` : `${line}\n`)).join('');
}

/** Commands of ours are plain words; anything else is quoted as JSON, which YAML reads too. */
function scalar(text: string): string {
  return /^[\w.][\w ./@=-]*(:[\w-]+)?$/.test(text) ? text : JSON.stringify(text);
}
