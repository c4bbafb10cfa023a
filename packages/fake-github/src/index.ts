export type { FakeGithub, FakeGithubOptions } from './start-fake-github.ts';
export { startFakeGithub } from './start-fake-github.ts';
export type { IssueAddress } from './state/find.ts';
