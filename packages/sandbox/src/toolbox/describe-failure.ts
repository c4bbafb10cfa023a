import { SandboxError, type SandboxErrorCode } from '../protocol/sandbox-error.ts';

const maxMessageLength = 4000;

const codeOfErrno: Record<string, SandboxErrorCode> = {
  ENOENT: 'not_found',
  ENOTDIR: 'not_found',
  EISDIR: 'is_directory',
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  ELOOP: 'denied',
  ERR_INVALID_GLOB: 'bad_pattern',
};

const messageOf: Partial<Record<SandboxErrorCode, string>> = {
  not_found: 'no such file or folder',
  is_directory: 'it is a folder',
  denied: 'permission denied',
};

/** The error that is sent to the host. A bug becomes `failed`, with its message. */
export function describeFailure(error: unknown): { code: SandboxErrorCode; message: string } {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, maxMessageLength);
  if (error instanceof SandboxError) return { code: error.code, message };
  const errno = (error as NodeJS.ErrnoException | undefined)?.code ?? '';
  const code = codeOfErrno[errno];
  // Node's own message contains the path on this machine, which must not leave the sandbox.
  return code === undefined ? { code: 'failed', message } : { code, message: messageOf[code] ?? message };
}

export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
