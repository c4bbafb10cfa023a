import { SandboxError, type SandboxErrorCode } from '../protocol/sandbox-error.ts';

const MAX_MESSAGE_LENGTH = 4000;

const CODE_OF_ERRNO: Record<string, SandboxErrorCode> = {
  ENOENT: 'not_found',
  ENOTDIR: 'not_found',
  EISDIR: 'is_directory',
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  ELOOP: 'denied',
  ERR_INVALID_GLOB: 'bad_pattern',
};

const SENTENCE_OF: Partial<Record<SandboxErrorCode, string>> = {
  not_found: 'there is no such file or folder',
  is_directory: 'it is a folder',
  denied: 'the system does not allow it',
};

/** What the host gets to know of a failure. A bug of ours comes out as `failed`, with its message. */
export function describeFailure(error: unknown): { code: SandboxErrorCode; message: string } {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE_LENGTH);
  if (error instanceof SandboxError) return { code: error.code, message };
  const errno = (error as NodeJS.ErrnoException | undefined)?.code ?? '';
  const code = CODE_OF_ERRNO[errno];
  // Node's own sentence names the path on this machine, which is nobody's business outside.
  return code === undefined ? { code: 'failed', message } : { code, message: SENTENCE_OF[code] ?? message };
}

export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
