/** The settings of the worker that also apply to `fettle check`. */
import { join } from 'node:path';
import { parseScriptNames, pickNpmEnvironment, readRegistries } from '@fettle/registry';
import { readProxy, readSettings, SettingsError, seconds } from '@fettle/settings';
import { z } from 'zod';
import { usageError } from '../../cli-error.ts';
import type { Config } from '../../config.ts';

const count = (value: number) => z.coerce.number().int().positive().default(value);
const settings = {
  FETTLE_REGISTRIES: z.string().optional(),
  FETTLE_REGISTRY_TOKENS: z.string().optional(),
  FETTLE_REGISTRY_CACHE_BYTES: count(5_000_000_000),
  FETTLE_INSTALL_SCRIPTS: z.string().default('none').transform(parseScriptNames),
  FETTLE_CHECK_SECONDS: seconds(1_800, 'the time limit of set-up and of each check'),
  FETTLE_COMMAND_OUTPUT_BYTES: count(10_000_000),
};

export function readCheckConfig({ environment, home }: Config) {
  try {
    const values = readSettings(settings, environment);
    const { FETTLE_REGISTRIES: registries, FETTLE_REGISTRY_TOKENS: tokens } = values;
    return {
      timeoutMs: values.FETTLE_CHECK_SECONDS * 1000,
      maxOutputBytes: values.FETTLE_COMMAND_OUTPUT_BYTES,
      installScripts: values.FETTLE_INSTALL_SCRIPTS,
      registry: {
        proxy: readProxy(environment),
        npmEnvironment: pickNpmEnvironment(environment),
        allowed: readRegistries({ registries, tokens }),
        folder: join(home, 'registry-cache'),
        maxBytes: values.FETTLE_REGISTRY_CACHE_BYTES,
      },
    };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw usageError(error.message, 'Correct the environment variable, or unset it.');
  }
}
