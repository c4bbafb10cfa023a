export { createDiskCache } from './cache/disk-cache.ts';
export { LockfilesRefused } from './clients/change-lockfiles.ts';
export type { InstallRequest } from './clients/commands.ts';
export { findPackageManager } from './clients/find-client.ts';
export {
  type Installed,
  type InstallPlace,
  installDependencies,
  runAllowedScripts,
} from './install-dependencies.ts';
export {
  isIntegrityFailure,
  offerRegistries,
  type WindowContext,
  withInstallWindow,
} from './install-window.ts';
export { openRegistry, type Registry } from './open-registry.ts';
export { createWindowState } from './registry.ts';
export { parseScriptNames, pickNpmEnvironment, readRegistries } from './settings.ts';
export { describeTraffic, type Traffic } from './traffic.ts';
