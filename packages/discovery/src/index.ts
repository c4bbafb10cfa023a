export { composeConfig } from './compose-config.ts';
export { discover, toCommands } from './discover.ts';
export type { Discovered, FoundCommand, FoundSetup } from './discovered.ts';
export { choosePackageManager, type PackageManager, type UsedManager } from './package-client.ts';
export { openFolder, type RepositoryRoot } from './repository-root.ts';
export { findProjects } from './subfolders.ts';
