/**
 * Package managers do not wait for a network that is not there. Only for command lines of the agent: set-up and
 * install_dependencies reach the registries through a window of their own.
 */
export const withoutNetwork: Record<string, string> = {
  npm_config_fetch_retries: '0',
  npm_config_prefer_offline: 'true',
  pnpm_config_fetch_retries: '0',
  YARN_HTTP_RETRY: '0',
  PIP_NO_INDEX: '1',
  PIP_RETRIES: '0',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  UV_OFFLINE: '1',
  CARGO_NET_OFFLINE: 'true',
  GOTOOLCHAIN: 'local',
  COMPOSER_DISABLE_NETWORK: '1',
  COREPACK_ENABLE_NETWORK: '0',
  MAVEN_ARGS: '--offline',
  HF_HUB_OFFLINE: '1',
};
