/**
 * The environment that points package managers to the sandbox's registries. It overrides the repository's own files
 * (.npmrc, .yarnrc, .yarnrc.yml), which a config file would not.
 */
import type { PackageManager as AnyManager } from '@fettle/discovery';
import type { RegistryOrigins } from '@fettle/sandbox';

export interface ClientPlace {
  origins: RegistryOrigins;
  manager: AnyManager | undefined;
}

/** For every command of a sandbox, so that an install at the wrong time fails at once with the reason. */
export function clientEnvironment({ origins, manager }: ClientPlace): Record<string, string> {
  const environments = Object.entries(origins).map(([name, origin]) => environmentOf[name]?.(origin) ?? {});
  // Only for pnpm, because npm warns about unknown settings.
  const own = manager === 'pnpm' ? { npm_config_manage_package_manager_versions: 'false' } : {};
  return Object.assign({}, withoutRegistry, ...environments, own);
}

/** Tools of JavaScript workspaces: no daemons, no telemetry, no remote caches, and no result that did not really run. */
const quietTools = {
  DO_NOT_TRACK: '1',
  NX_DAEMON: 'false',
  NX_NO_CLOUD: 'true',
  NX_SKIP_NX_CACHE: 'true',
  NX_TUI: 'false',
  TURBO_TELEMETRY_DISABLED: '1',
  TURBO_FORCE: 'true',
  TURBO_DAEMON: 'false',
  NEXT_TELEMETRY_DISABLED: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
  CYPRESS_INSTALL_BINARY: '0',
  PUPPETEER_SKIP_DOWNLOAD: 'true',
  PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
  HUSKY: '0',
};

/** For a package manager whose registry is not offered: it must not try again and again to reach the public one. */
const withoutRegistry: Record<string, string> = {
  npm_config_fetch_retries: '0',
  YARN_HTTP_RETRY: '0',
  PIP_RETRIES: '0',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  UV_HTTP_RETRIES: '0',
  CARGO_NET_RETRY: '0',
  BUNDLE_RETRY: '0',
  GOTOOLCHAIN: 'local',
};

const environmentOf: Record<string, (address: string) => Record<string, string>> = {
  npm: (address) => ({
    ...forNpmAndPnpm({
      registry: `${address}/`,
      // The worker retries before it reports a registry as unavailable.
      fetch_retries: '1',
      fetch_retry_mintimeout: '200',
      fetch_retry_maxtimeout: '1000',
      script_shell: '/bin/sh',
      // Many old packages claim to need a Node that is older than the current one.
      engine_strict: 'false',
      audit: 'false',
      fund: 'false',
      update_notifier: 'false',
    }),
    npm_config_git: 'git',
    // Deno reads only this spelling.
    NPM_CONFIG_REGISTRY: `${address}/`,
    ...quietTools,
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
export function scriptsOff(manager: AnyManager | undefined): Record<string, string> {
  return {
    ...forNpmAndPnpm({ ignore_scripts: 'true' }),
    // Each Yarn refuses the settings of the other.
    ...(manager === 'yarn'
      ? { YARN_ENABLE_SCRIPTS: 'false' }
      : { YARN_IGNORE_SCRIPTS: 'true', YARN_IGNORE_ENGINES: 'true' }),
    // A source distribution runs its own code during the install. A wheel does not.
    PIP_ONLY_BINARY: ':all:',
  };
}

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
