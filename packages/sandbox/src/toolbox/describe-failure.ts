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
};

/** What the host gets to know of a failure. A bug of ours comes out as `failed`, with its message. */
export function describeFailure(error: unknown): { code: SandboxErrorCode; message: string } {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE_LENGTH);
  if (error instanceof SandboxError) return { code: error.code, message };
  const errno = (error as NodeJS.ErrnoException | undefined)?.code ?? '';
  return { code: CODE_OF_ERRNO[errno] ?? 'failed', message };
}

export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
