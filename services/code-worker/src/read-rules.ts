import type { CheckName } from '@fettle/contract';
import { type RepositoryConfig, readRepositoryConfig } from '@fettle/contract/repository-config';
import { z } from 'zod';

export type ReadText = (
  path: string,
  maxBytes: number,
) => Promise<{ text: string | undefined } | { tooLarge: true }>;

const configBytes = 64_000;
const manifestBytes = 2_000_000;

export type RepositoryRules = { ok: true; config: RepositoryConfig } | { ok: false; message: string };

/** How to work on the repository: its own `.fettle/config.yml`, else the scripts that its package.json names. */
export async function readRepositoryRules(readText: ReadText): Promise<RepositoryRules> {
  const own = await readText('.fettle/config.yml', configBytes);
  if ('tooLarge' in own) return { ok: false, message: `it has more than ${configBytes} bytes` };
  if (own.text !== undefined) return readRepositoryConfig(own.text);
  const manifest = await readText('package.json', manifestBytes);
  const reading = readRepositoryConfig('');
  if (!reading.ok || 'tooLarge' in manifest || manifest.text === undefined) return reading;
  return { ok: true, config: { ...reading.config, commands: npmCommands(manifest.text) } };
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
