import type { GitError } from '@fettle/git';

/** What git is given for one repository: the one protocol that its address needs, and a token where there is one. */
export interface GitAccess {
  protocols: string[];
  token?: string | undefined;
}

/** A folder on this machine needs no token; any other address may. */
export function isRemote(address: string): boolean {
  return /^https?:/.test(address);
}

export function protocolsOf(address: string): string[] {
  return isRemote(address) ? [new URL(address).protocol.slice(0, -1)] : ['file'];
}

/** What went wrong, with what the operator can do about it. */
export function explainGit({ code, message }: GitError): string {
  return code === 'auth_required' ? `${message} The operator can give one in FETTLE_GIT_TOKENS.` : message;
}
