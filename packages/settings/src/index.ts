export { readSettings, SettingsError } from './read-settings.ts';
export { startOrExplain } from './start-or-explain.ts';
