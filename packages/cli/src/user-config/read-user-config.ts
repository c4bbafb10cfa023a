import { closeSync, openSync, readSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { readYaml } from '@fettle/contract/read-yaml';
import { usageError } from '../cli-error.ts';
import { paths, type UserConfig, userConfigSchema, variables } from './user-config.ts';

export type Environment = Record<string, string | undefined>;

const maxBytes = 100_000;

export function userConfigPath({ XDG_CONFIG_HOME: folder, HOME: home }: Environment): string {
  // The specification says that a relative path has to be ignored.
  const parent = folder?.startsWith('/') ? folder : join(home || homedir(), '.config');
  return join(parent, 'fettle', 'config.yml');
}

/** An empty config if there is no file. */
export function readUserConfig(environment: Environment): UserConfig {
  const path = userConfigPath(environment);
  const text = readText(path);
  if (text === undefined) return {};
  const reading = readYaml(text, userConfigSchema);
  if (!reading.ok)
    throw usageError(`${path}: ${reading.message}.`, 'Correct the file. docs/settings.md lists its keys.');
  const home = environment.HOME || homedir();
  const expanded = Object.entries(reading.value).map(([name, value]) =>
    (paths as readonly string[]).includes(name) ? [name, expand(String(value), home)] : [name, value],
  );
  return Object.fromEntries(expanded) as UserConfig;
}

/** Adds what the file says to the environment, whose own variables win. */
export function addUserConfig(environment: Environment, config: UserConfig): Environment {
  const given = Object.entries(variables).flatMap(([key, name]) => {
    const value = config[key as keyof typeof variables];
    return value === undefined || isSet(environment, name) ? [] : [[name, String(value)] as const];
  });
  return { ...environment, ...Object.fromEntries(given) };
}

/** An empty variable counts as unset. NAME_FILE is another way to set NAME. */
export function isSet(environment: Environment, name: string): boolean {
  const plain = name.replace(/_FILE$/, '');
  return [plain, `${plain}_FILE`].some((each) => environment[each] !== undefined && environment[each] !== '');
}

function expand(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? resolve(home, path.slice(2)) : path;
}

function readText(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const buffer = Buffer.alloc(maxBytes + 1);
    const length = readSync(file, buffer);
    if (length > maxBytes) throw usageError(`${path} is larger than ${maxBytes} bytes.`, 'Shorten it.');
    return buffer.toString('utf8', 0, length);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === undefined || code === 'usage') throw error;
    throw usageError(`${path} cannot be read: ${code}.`, 'Correct its permissions, or remove it.');
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
