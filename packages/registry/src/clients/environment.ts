/**
 * The environment that points package managers to the sandbox's registries. It overrides the repository's own files
 * (.npmrc, .yarnrc, .yarnrc.yml), which a config file would not.
 */
import type { RegistryOrigins } from '@fettle/sandbox';
import type { PackageManager } from './find-client.ts';

export interface ClientPlace {
  origins: RegistryOrigins;
  manager: PackageManager | undefined;
}

/** For every command of a sandbox, so that an install at the wrong time fails at once with the reason. */
export function clientEnvironment({ origins, manager }: ClientPlace): Record<string, string> {
  const environments = Object.entries(origins).map(([name, origin]) => environmentOf[name]?.(origin) ?? {});
  // Only for pnpm, because npm warns about unknown settings.
  const own = manager === 'pnpm' ? { npm_config_manage_package_manager_versions: 'false' } : {};
  return Object.assign({}, ...environments, own);
}

const environmentOf: Record<string, (address: string) => Record<string, string>> = {
  npm: (address) => ({
    ...forNpmAndPnpm({
      registry: `${address}/`,
      // The worker retries before it reports a registry as unavailable.
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
  // go.sum contains the checksums that a repository uses. The public checksum database is not available.
  go: (address) => ({ GOPROXY: address, GOSUMDB: 'off', GOTOOLCHAIN: 'local', GOTELEMETRY: 'off' }),
};

/** In addition, while an install window is open: no install script of a package runs. */
export const scriptsOff: Record<string, string> = {
  ...forNpmAndPnpm({ ignore_scripts: 'true' }),
  YARN_IGNORE_SCRIPTS: 'true',
  YARN_ENABLE_SCRIPTS: 'false',
  // A source distribution runs its own code during the install. A wheel does not.
  PIP_ONLY_BINARY: ':all:',
};

/** For the one command that runs the allowed install scripts. */
export const scriptsOn: Record<string, string> = forNpmAndPnpm({ ignore_scripts: 'false' });

/** pnpm reads npm's variables up to version 10, and its own from version 11. */
function forNpmAndPnpm(settings: Record<string, string>): Record<string, string> {
  const pairs = Object.entries(settings).flatMap(([name, value]) => [
    [`npm_config_${name}`, value],
    [`pnpm_config_${name}`, value],
  ]);
  return Object.fromEntries(pairs);
}
