/**
 * Model keys that `fettle model login` stores, one file each, readable only by the user. The worker reads them as
 * NAME_FILE, so that they appear in no environment and on no command line.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isExposed, storePrivately } from '../process/private-files.ts';
import { type Environment, isSet } from '../user-config/read-user-config.ts';

export const services = {
  anthropic: { name: 'Anthropic', keyName: 'ANTHROPIC_API_KEY', urlName: 'ANTHROPIC_BASE_URL' },
  openai: { name: 'OpenAI', keyName: 'OPENAI_API_KEY', urlName: 'OPENAI_BASE_URL' },
} as const;
export type Service = keyof typeof services;

export function serviceOf(model: string | undefined): Service {
  return model?.startsWith('openai:') ? 'openai' : 'anthropic';
}

export function storedKeyPath(home: string, service: Service): string {
  return join(home, 'model-keys', service);
}

/** Names the stored keys to every part of Fettle that has no other. */
export function addStoredKeys(environment: Environment, home: string): Environment {
  const found = Object.entries(services).flatMap(([service, { keyName }]) => {
    const path = storedKeyPath(home, service as Service);
    return isSet(environment, keyName) || !existsSync(path) ? [] : [[`${keyName}_FILE`, path] as const];
  });
  return { ...environment, ...Object.fromEntries(found) };
}

export function storeKey(home: string, service: Service, key: string): string {
  return storePrivately(join(home, 'model-keys'), service, `${key}\n`);
}

/** Returns whether there was one. */
export function removeKey(home: string, service: Service): boolean {
  const path = storedKeyPath(home, service);
  const existed = existsSync(path);
  rmSync(path, { force: true });
  return existed;
}

export interface ModelKey {
  source: 'environment' | 'file' | 'stored' | 'none';
  path?: string;
  /** Other users of this machine can read the file. */
  exposed?: boolean;
}

/** Where the key of each service comes from. `environment` has the stored keys added. */
export function listModelKeys(environment: Environment, home: string): Record<Service, ModelKey> {
  const find = (service: Service): ModelKey => {
    const { keyName } = services[service];
    const path = environment[`${keyName}_FILE`];
    if (environment[keyName]) return { source: 'environment' };
    if (!path) return { source: 'none' };
    return {
      source: path === storedKeyPath(home, service) ? 'stored' : 'file',
      path,
      exposed: isExposed(path),
    };
  };
  return { anthropic: find('anthropic'), openai: find('openai') };
}
