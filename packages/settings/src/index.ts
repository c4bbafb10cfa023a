export { listProxySecrets, readProxy } from './proxy.ts';
export { readSettings, SettingsError, UnavailableError } from './read-settings.ts';
export { seconds } from './seconds.ts';
export { listPairSecrets, listUrlSecrets } from './secret-parts.ts';
export { startOrExplain } from './start-or-explain.ts';
