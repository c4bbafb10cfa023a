import type { CheckName } from '@fettle/contract';
import { type RepositoryConfig, readRepositoryConfig } from '@fettle/contract/repository-config';
import { z } from 'zod';

export type ReadText = (path: string) => Promise<string | undefined>;

export type RepositoryRules = { ok: true; config: RepositoryConfig } | { ok: false; message: string };

/** How to work on the repository: its own `.fettle/config.yml`, else the scripts that its package.json names. */
export async function readRepositoryRules(readText: ReadText): Promise<RepositoryRules> {
  const text = await readText('.fettle/config.yml');
  if (text !== undefined) return readRepositoryConfig(text);
  const manifest = await readText('package.json');
  const reading = readRepositoryConfig('');
  if (!reading.ok || manifest === undefined) return reading;
  return { ok: true, config: { ...reading.config, commands: npmCommands(manifest) } };
}

const scriptNames: Partial<Record<CheckName, string[]>> = {
  typecheck: ['typecheck', 'type-check', 'check:types'],
  lint: ['lint'],
  test: ['test'],
  build: ['build'],
  format: ['format:check', 'check:format'],
};
const manifestSchema = z.object({ scripts: z.record(z.string(), z.string()).default({}) });
const npmPlaceholder = /no test specified/;

function npmCommands(manifest: string): RepositoryConfig['commands'] {
  const parsed = manifestSchema.safeParse(parseJson(manifest));
  if (!parsed.success) return {};
  const { scripts } = parsed.data;
  const found = Object.entries(scriptNames).flatMap(([check, names]) => {
    const script = names.find((name) => scripts[name] !== undefined && !npmPlaceholder.test(scripts[name]));
    return script === undefined ? [] : [[check, script === 'test' ? 'npm test' : `npm run ${script}`]];
  });
  return Object.fromEntries(found);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
