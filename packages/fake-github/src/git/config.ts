/** The environment of git: no config of the user or of the machine. */

const identity = { name: 'GitHub', email: 'noreply@github.com' };

export function gitEnvironment(): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: '/dev/null',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    ...authorEnvironment(identity),
    GIT_COMMITTER_NAME: identity.name,
    GIT_COMMITTER_EMAIL: identity.email,
  };
}

export interface Identity {
  name: string;
  email: string;
}

export function authorEnvironment({ name, email }: Identity): Record<string, string> {
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email };
}
