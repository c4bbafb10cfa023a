import { z } from 'zod';
import {
  type Check,
  type Discovered,
  type Ecosystem,
  type FoundCommand,
  nothingDiscovered,
} from '../discovered.ts';
import { type RepositoryRoot, readManifest } from '../repository-root.ts';

export const php: Ecosystem = { name: 'PHP', find };

const scripts: [Check, string[]][] = [
  ['typecheck', ['phpstan', 'psalm', 'analyse', 'analyze', 'types']],
  ['lint', ['lint', 'cs', 'phpcs', 'check-style']],
  ['format', ['cs:check', 'cs-check', 'format:check', 'check-cs']],
  ['test', ['test', 'tests', 'phpunit', 'test:unit']],
];
const manifestSchema = z.object({ scripts: z.record(z.string(), z.unknown()).catch({}).default({}) });
const phpunitFiles = ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'];

async function find(root: RepositoryRoot): Promise<Discovered> {
  const found = nothingDiscovered();
  const text = await readManifest(root, 'composer.json', found.remarks);
  const configured = phpunitFiles.find(root.has);
  const names = text === undefined ? new Set<string>() : readScripts(text);
  for (const [check, known] of scripts) {
    const name = known.find((each) => names.has(each));
    if (name === undefined) continue;
    found.commands[check] = {
      ...{ command: `composer run-script ${name}`, source: `script "${name}" of composer.json` },
      probe: 'command -v composer',
    };
  }
  if (configured === undefined) return found;
  const tools: FoundCommand[] = [
    { command: 'vendor/bin/phpunit', source: configured, probe: 'vendor/bin/phpunit --version' },
    { command: 'phpunit', source: configured, probe: 'command -v phpunit' },
  ];
  const [first, ...others] = found.commands.test ? [found.commands.test, ...tools] : tools;
  if (first) found.commands.test = { ...first, instead: others };
  return found;
}

function readScripts(text: string): Set<string> {
  try {
    const parsed = manifestSchema.safeParse(JSON.parse(text));
    return new Set(parsed.success ? Object.keys(parsed.data.scripts) : []);
  } catch {
    return new Set();
  }
}
