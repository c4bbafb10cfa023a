/** The settings and the environment of every git process. Nothing outside of this file decides which programs git runs. */

const inheritedNames = ['PATH', 'TMPDIR'];
/** For calls that leave the machine: which certificates to trust, and the agent that holds the ssh keys. */
const inheritedForNetwork = ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'SSH_AUTH_SOCK'];
/** curl reads `http_proxy` in lower case only, and prefers lower case for the others. */
const proxyNames = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'];

const defaultProtocols: readonly string[] = ['file', 'https', 'ssh'];

const fixedEnvironment: Record<string, string> = {
  LC_ALL: 'C',
  // No folder can be here, so git finds no .netrc and no .config/git.
  HOME: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PAGER: 'cat',
  GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
  // Without it, a partial clone fetches missing objects with the programs that its own config names.
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  // Newer versions of git have other defaults. This package reads loose refs and 40-digit object ids.
  GIT_DEFAULT_REF_FORMAT: 'files',
  GIT_DEFAULT_HASH: 'sha1',
};

/** Settings on the command line override every config file, including that of a foreign repository. */
const settings: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.alternateRefsCommand=true',
  'core.askPass=',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.quotePath=false',
  'credential.helper=',
  'protocol.ext.allow=never',
  'http.followRedirects=false',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=60',
  'gc.auto=0',
  'maintenance.auto=false',
  'commit.gpgSign=false',
  'push.gpgSign=false',
  'log.showSignature=false',
  'submodule.recurse=false',
];

/** Settings for `git receive-pack` in a user's repository. */
const receiveSettings: readonly string[] = [
  'receive.autogc=false',
  'receive.denyNonFastForwards=true',
  // "updateInstead" writes the work tree, and runs the filters that the target's config names.
  'receive.denyCurrentBranch=refuse',
];
const keepBranches = 'receive.denyDeletes=true';

export function settingArguments(more: readonly string[] = []): string[] {
  return [...settings, ...more].flatMap((setting) => ['-c', setting]);
}

export function gitEnvironment(options: {
  protocols?: readonly string[] | undefined;
  network?: boolean | undefined;
}): Record<string, string> {
  const names = options.network ? [...inheritedNames, ...inheritedForNetwork] : inheritedNames;
  const environment: Record<string, string> = options.network ? readProxies() : {};
  for (const name of names) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  const protocols = options.protocols ?? defaultProtocols;
  return { ...environment, ...fixedEnvironment, GIT_ALLOW_PROTOCOL: protocols.join(':') };
}

function readProxies(): Record<string, string> {
  const proxies: Record<string, string> = {};
  for (const name of proxyNames) {
    const value = process.env[name] || process.env[name.toUpperCase()];
    // For a user without a password git would ask askpass.sh, which would answer with the token of the repository.
    if (value) proxies[name] = value.replace(/^((?:[a-z0-9+.-]+:\/\/)?[^/@:]+)@/i, '$1:@');
  }
  return proxies;
}

/** Some messages of curl repeat the address of the proxy with its credentials. */
export function withoutProxyCredentials(text: string): string {
  return Object.values(readProxies()).reduce((left, proxy) => {
    const [, credentials] = /^(?:[a-z0-9+.-]+:\/\/)?([^/]+)@/i.exec(proxy) ?? [];
    return credentials === undefined ? left : left.replaceAll(credentials, '[credentials]');
  }, text);
}

/**
 * The command that serves a local repository. Git does not pass `-c` settings on to the serving side of a local
 * transport, so they are repeated here. Git passes this string to a shell.
 */
export function servingCommand(service: Service): string {
  const options = settingsFor(service)
    .map((setting) => `-c '${setting}'`)
    .join(' ');
  const program = service === 'upload-pack' ? service : 'receive-pack';
  return `GIT_NO_LAZY_FETCH=1 git --no-replace-objects ${options} ${program}`;
}

/** `receive-deletes` deletes a branch, unless the target's own `receive.denyDeletes` forbids it. */
export type Service = 'upload-pack' | 'receive-pack' | 'receive-deletes';

function settingsFor(service: Service): readonly string[] {
  if (service === 'upload-pack') return settings;
  return [...settings, ...receiveSettings, ...(service === 'receive-pack' ? [keepBranches] : [])];
}
