import type { GitError } from '@fettle/git';

/** What git needs to reach one repository: the only protocol it may use, and a token for private repositories. */
export interface GitAccess {
  protocols: string[];
  token?: string | undefined;
}

/** A repository in a local folder needs no token. */
export function isRemote(address: string): boolean {
  return /^https?:/.test(address);
}

export function protocolsOf(address: string): string[] {
  return isRemote(address) ? [new URL(address).protocol.slice(0, -1)] : ['file'];
}

/** The error message, with advice for the operator. */
export function explainGit({ code, message }: GitError): string {
  return code === 'auth_required' ? `${message} Set a token in FETTLE_GIT_TOKENS.` : message;
}
