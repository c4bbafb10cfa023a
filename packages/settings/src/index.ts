export { listProxySecrets, readProxy } from './proxy.ts';
export { readSettings, SettingsError, UnavailableError } from './read-settings.ts';
export { seconds } from './seconds.ts';
export { listPairSecrets, listUrlSecrets } from './secret-parts.ts';
export { serverUrl } from './server-url.ts';
export { type Service, type Setting, settingList } from './setting-list.ts';
export { startOrExplain } from './start-or-explain.ts';
export { findUnknownSettings, warnAboutUnknownSettings } from './unknown-settings.ts';
