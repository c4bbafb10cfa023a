/** The failures that callers handle differently. */
export type GitErrorCode =
  | 'auth_required'
  | 'bad_path'
  | 'bad_ref'
  | 'bad_source'
  | 'cancelled'
  | 'conflict'
  | 'disk_full'
  | 'failed'
  | 'locked'
  | 'not_a_repository'
  | 'push_rejected'
  | 'target_failed'
  | 'timeout'
  | 'too_large'
  | 'unreachable'
  | 'unsafe_ownership';

export class GitError extends Error {
  override readonly name = 'GitError';
  readonly code: GitErrorCode;
  /** Git's own output, for logs. The message is complete without it. */
  readonly detail: string;
  /** The commit at which the ref is instead (`push_rejected`, `conflict`). */
  readonly found: string | undefined;

  constructor(code: GitErrorCode, message: string, { detail = '', found }: GitErrorExtras = {}) {
    super(message);
    this.code = code;
    this.detail = detail;
    this.found = found;
  }
}

interface GitErrorExtras {
  detail?: string;
  found?: string | undefined;
}

interface FailureSign {
  match: RegExp;
  code: GitErrorCode;
  message: string;
}

/** Git has no machine-readable errors, but its messages are stable under LC_ALL=C. The first match wins. */
const failureSigns: readonly FailureSign[] = [
  {
    match: /detected dubious ownership/,
    code: 'unsafe_ownership',
    message:
      'The repository belongs to another user. Change its owner to the user that runs Fettle, or clone it as that user.',
  },
  {
    match:
      /cannot lock ref|Unable to create '[^']*\.lock'|[Uu]nable to lock|shallow file has changed since we read it/,
    code: 'locked',
    message: 'Another git process holds a lock on the repository.',
  },
  {
    match:
      /Authentication failed|could not read (Username|Password)|terminal prompts disabled|Permission denied \(|returned error: 40[13]|HTTP 40[13]/,
    code: 'auth_required',
    message: 'The repository refused the credentials, or requires credentials and got none.',
  },
  {
    match: /unable to update url base from redirection|returned error: 30\d/,
    code: 'bad_source',
    message: 'The repository has moved: its server responds with a redirect. Use the new address.',
  },
  {
    match: /transport '[^']*' not allowed/,
    code: 'bad_source',
    message: 'The address uses a protocol that is not allowed here.',
  },
  {
    match: /mismatched algorithms/,
    code: 'bad_source',
    message: 'The repository uses SHA-256 object names, which are not supported.',
  },
  {
    match: /does not appear to be a git repository|[Nn]ot a git repository|[Rr]epository .*not found/,
    code: 'not_a_repository',
    message: 'There is no git repository at this address, or the credentials give no access to it.',
  },
  {
    match: /Could not resolve proxy|Unsupported proxy|Proxy CONNECT aborted|CONNECT tunnel failed|error: 407/,
    code: 'unreachable',
    message: 'The proxy did not connect to the repository. Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.',
  },
  {
    match:
      /Could not resolve host|Connection (refused|reset|timed out)|unable to access|Network is unreachable|Could not read from remote repository|unexpected disconnect|the remote end hung up/,
    code: 'unreachable',
    message: 'The repository could not be reached.',
  },
];

const diskFullSign = /No space left on device|Disk quota exceeded|Out of diskspace/;

/** Git prefixes messages from the other side with `remote: `. */
export function findFullDisk(stderr: string): GitError | undefined {
  const line = stderr.split('\n').find((each) => diskFullSign.test(each));
  if (line === undefined) return undefined;
  const disk = line.startsWith('remote: ') ? 'the disk of the repository' : 'the disk of the worker';
  return new GitError('disk_full', `There is no space left on ${disk}.`, { detail: stderr });
}

export function failureFromStderr(command: string, stderr: string): GitError {
  const detail = stderr.trim();
  // First, because a full disk also makes git fail to create its lock files.
  const full = findFullDisk(detail);
  if (full) return full;
  const sign = failureSigns.find(({ match }) => match.test(detail));
  if (sign) return new GitError(sign.code, sign.message, { detail });
  const lastLine = detail.split('\n').at(-1) ?? '';
  return new GitError('failed', `git ${command} failed: ${lastLine || 'it printed no reason'}`, { detail });
}
