import type { Request } from '@fettle/contract';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import type { PathOptions } from '@fettle/policy';

/**
 * What an operation may change besides what the built-in rules leave alone. Permissions come from fields that are made for
 * it, and from nothing that is read: no words of a request, a file, an output or a message are looked at here.
 */
export function pathPermissions(
  { targetFiles }: Pick<Request, 'targetFiles'>,
  { protectedPaths }: Pick<RepositoryConfig, 'protectedPaths'>,
  { allowGuards }: { allowGuards: string[] },
): PathOptions {
  return { protectedPaths, named: targetFiles, allowGuards };
}
