// How package managers are told where their registry is. The environment beats what a repository sets in its own
// files (.npmrc, .yarnrc, .yarnrc.yml), which is why it is used and not a file.
import type { RegistryOrigins } from '@fettle/sandbox';
import type { PackageManager } from './find-client.ts';

export interface ClientPlace {
  origins: RegistryOrigins;
  manager: PackageManager | undefined;
}

/** For every command of a sandbox, so that one that is run at the wrong time hears at once why it cannot install. */
export function clientEnvironment({ origins, manager }: ClientPlace): Record<string, string> {
  const environments = Object.entries(origins).map(([name, origin]) => environmentOf[name]?.(origin) ?? {});
  // npm warns of settings that it does not know, so that this one is given only where pnpm is used.
  const own = manager === 'pnpm' ? { npm_config_manage_package_manager_versions: 'false' } : {};
  return Object.assign({}, ...environments, own);
}

const environmentOf: Record<string, (address: string) => Record<string, string>> = {
  npm: (address) => ({
    ...forNpmAndPnpm({
      registry: `${address}/`,
      // The host has tried several times before it says that a registry is away.
      fetch_retries: '1',
      fetch_retry_mintimeout: '200',
      fetch_retry_maxtimeout: '1000',
      script_shell: '/bin/sh',
      audit: 'false',
      fund: 'false',
      update_notifier: 'false',
    }),
    npm_config_git: 'git',
    npm_config_replace_registry_host: 'always',
    pnpm_config_pm_on_fail: 'ignore',
    YARN_REGISTRY: address,
    YARN_NPM_REGISTRY_SERVER: address,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_ENABLE_TELEMETRY: '0',
    YARN_HTTP_RETRY: '1',
    COREPACK_ENABLE_NETWORK: '0',
    COREPACK_ENABLE_STRICT: '0',
    COREPACK_ENABLE_AUTO_PIN: '0',
    COREPACK_ENABLE_PROJECT_SPEC: '0',
  }),
  pypi: (address) => ({
    PIP_INDEX_URL: `${address}/simple/`,
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PIP_RETRIES: '1',
    UV_DEFAULT_INDEX: `${address}/simple/`,
  }),
  // The checksums of what a repository uses are in its go.sum; the public database of them is not carried.
  go: (address) => ({ GOPROXY: address, GOSUMDB: 'off', GOTOOLCHAIN: 'local', GOTELEMETRY: 'off' }),
};

/** Beside the above while a window is open: nothing of a package runs by being installed. */
export const scriptsOff: Record<string, string> = {
  ...forNpmAndPnpm({ ignore_scripts: 'true' }),
  YARN_IGNORE_SCRIPTS: 'true',
  YARN_ENABLE_SCRIPTS: 'false',
  // A source distribution runs code of its own to be installed; a wheel does not.
  PIP_ONLY_BINARY: ':all:',
};

/** For the one command that runs the scripts of packages that are allowed to. */
export const scriptsOn: Record<string, string> = forNpmAndPnpm({ ignore_scripts: 'false' });

/** pnpm reads npm's variables up to its version 10, and its own from 11 on. */
function forNpmAndPnpm(settings: Record<string, string>): Record<string, string> {
  const pairs = Object.entries(settings).flatMap(([name, value]) => [
    [`npm_config_${name}`, value],
    [`pnpm_config_${name}`, value],
  ]);
  return Object.fromEntries(pairs);
}
