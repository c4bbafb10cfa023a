export type { Forge, ForgeRepository, Proposal } from './forge.ts';
export { localForge } from './local/local-forge.ts';
export type { GitHosts } from './local/remote-url.ts';
