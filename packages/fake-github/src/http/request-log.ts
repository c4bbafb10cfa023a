/** What was called, for assertions. Holds no secrets: no headers, no bodies, no codes. */

export interface LoggedRequest {
  method: string;
  /** Without `/api/v3` and without the query. */
  path: string;
  status: number;
  /** Names the token without its text. */
  tokenId: number | undefined;
  /** Names the App of a JWT. */
  appId: number | undefined;
  /** The connection was closed without an answer. */
  isDropped: boolean;
}

export interface GitUse {
  tokenId: number | undefined;
  /** `owner/name` */
  repository: string;
  service: 'git-upload-pack' | 'git-receive-pack';
  /** `/info/refs` announces; the others transfer. */
  step: 'announce' | 'transfer';
  status: number;
}

/** The codes of the manifest flow work like passwords. */
export function loggedPath(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  return path
    .replace(/^\/api\/v3(?=\/|$)/, '')
    .replace(/^(\/app-manifests\/)[^/]+/, '$1{code}')
    .replace(/^(\/logs\/)[^/]+/, '$1{code}');
}
