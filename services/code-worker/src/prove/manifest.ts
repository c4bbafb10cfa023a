/** The parts of a package.json that decide how checks run. */
import { z } from 'zod';

const schema = z.object({ scripts: z.record(z.string(), z.unknown()).optional() });
/** Sections that configure a runner. */
const runnerKeys = [
  'jest',
  'ava',
  'mocha',
  'vitest',
  'tap',
  'xo',
  'eslintConfig',
  'nyc',
  'c8',
  'babel',
  'wireit',
];

export const isManifest = (path: string) => /(?:^|\/)package\.json$/.test(path);

/** An invalid manifest counts as a section, as a whole. */
export function parseManifest(text: string): { scripts: Record<string, string>; sections: string } {
  try {
    const value: unknown = JSON.parse(text);
    const { scripts = {} } = schema.parse(value);
    const commands = Object.entries(scripts).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    const sections = runnerKeys.map((key) => (value as Record<string, unknown>)[key]);
    return { scripts: Object.fromEntries(commands), sections: JSON.stringify(sections) };
  } catch {
    return { scripts: {}, sections: text };
  }
}
