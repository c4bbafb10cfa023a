export { readSettings, SettingsError, UnavailableError } from './read-settings.ts';
export { startOrExplain } from './start-or-explain.ts';
