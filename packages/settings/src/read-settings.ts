import { readFileSync } from 'node:fs';
import { plainIssue } from '@fettle/contract';
import { z } from 'zod';

export class SettingsError extends Error {
  override name = 'SettingsError';
}

/** The setting is valid, but what it points to is missing or unusable. */
export class UnavailableError extends SettingsError {
  override name = 'UnavailableError';
}

/**
 * Reads the variables of a schema. `NAME_FILE` is the path of a file that contains the value. `findFlaw` checks
 * combinations of variables and returns what is wrong.
 */
export function readSettings<Shape extends z.ZodRawShape>(
  shape: Shape,
  environment: Record<string, string | undefined>,
  findFlaw: (values: z.infer<z.ZodObject<Shape>>) => string | undefined = () => undefined,
): z.infer<z.ZodObject<Shape>> {
  const given = Object.fromEntries(
    Object.keys(shape).map((name) => [name, readOne(name, environment)] as const),
  );
  const parsed = z.object(shape).safeParse(given);
  if (parsed.success) {
    const flaw = findFlaw(parsed.data);
    if (flaw !== undefined) throw new SettingsError(flaw);
    return parsed.data;
  }
  const lines = parsed.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    const description = shape[name] instanceof z.ZodType ? shape[name].description : undefined;
    return `${name}: ${given[name] === undefined ? 'is not set' : plainIssue(issue)}${description ? ` (${description})` : ''}`;
  });
  throw new SettingsError(lines.join('\n'));
}

function readOne(name: string, environment: Record<string, string | undefined>): string | undefined {
  const value = environment[name];
  if (value !== undefined && value !== '') return value;
  const file = environment[`${name}_FILE`];
  if (file === undefined || file === '') return undefined;
  try {
    // An empty file means the same as an empty variable.
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    throw new SettingsError(`${name}_FILE: cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
}
