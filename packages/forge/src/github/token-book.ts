/** The tokens in use, in memory only. Each is for one repository, one operation and one purpose. */
import type { GithubAccess, MintedToken, Permissions } from './access.ts';
import type { GithubRepository } from './settings.ts';

export interface TokenUse {
  repository: GithubRepository;
  purpose: 'git' | 'api' | 'read';
  permissions: Permissions;
  /** Undefined for requests that belong to no operation. */
  operationId: string | undefined;
  /** GitHub refused the current token. */
  refused?: string | undefined;
}

/** Long enough for the longest push. */
const renewBeforeMs = 10 * 60_000;
/** A token that nobody uses any more is revoked. */
const maxIdleMs = 10 * 60_000;
/** Of an operation that has no worker. One that was just claimed is not in the list yet. */
const maxUnownedMs = 60_000;

interface Entry {
  operationId: string | undefined;
  current: Promise<MintedToken & { mintedAt: number }>;
  /** Renewed tokens, which a running push may still use. */
  earlier: string[];
  usedAt: number;
}

export function createTokenBook({ mint, revoke }: Pick<GithubAccess, 'mint' | 'revoke'>) {
  const entries = new Map<string, Entry>();

  async function mintFor({ repository, permissions }: TokenUse) {
    const mintedAt = Date.now();
    return { ...(await mint(repository, permissions)), mintedAt };
  }

  async function take(use: TokenUse): Promise<string> {
    const { operationId, purpose, repository, refused } = use;
    const key = `${operationId ?? ''}/${purpose}/${repository.githubId}`;
    const found = entries.get(key);
    const entry = found ?? { operationId, current: mintFor(use), earlier: [], usedAt: Date.now() };
    entries.set(key, entry);
    entry.usedAt = Date.now();
    try {
      const { current } = entry;
      const token = await current;
      if (token.text !== refused && !isOld(token)) return token.text;
      // Others may have renewed it meanwhile.
      if (entry.current === current) {
        entry.earlier.push(token.text);
        entry.current = mintFor(use);
      }
      return (await entry.current).text;
    } catch (error) {
      if (entries.get(key) === entry) entries.delete(key);
      void end(entry);
      throw error;
    }
  }

  async function end({ current, earlier }: Entry): Promise<void> {
    const last = await current.then(({ text }) => [text]).catch(() => []);
    // Best effort: they expire within an hour.
    await Promise.allSettled([...earlier, ...last].map(revoke));
  }

  async function endWhere(isDone: (entry: Entry) => boolean): Promise<void> {
    const done = [...entries].filter(([, entry]) => isDone(entry));
    for (const [key] of done) entries.delete(key);
    await Promise.all(done.map(([, entry]) => end(entry)));
  }

  return {
    take,
    /** Revokes the tokens of an operation that has settled. */
    endOperation: (operationId: string) => endWhere((entry) => entry.operationId === operationId),
    /** Revokes the tokens of all operations but these, and those that were not used for a while. */
    async sweep(worked: ReadonlySet<string>): Promise<void> {
      await endWhere(({ operationId, usedAt }) => {
        const isWorked = operationId === undefined || worked.has(operationId);
        return usedAt < Date.now() - (isWorked ? maxIdleMs : maxUnownedMs);
      });
    },
    endAll: () => endWhere(() => true),
  };
}

/** A token with a short life is renewed after half of it. */
function isOld({ mintedAt, expiresAt }: MintedToken & { mintedAt: number }): boolean {
  if (expiresAt === undefined) return false;
  return Date.now() > expiresAt - Math.min(renewBeforeMs, (expiresAt - mintedAt) / 2);
}
