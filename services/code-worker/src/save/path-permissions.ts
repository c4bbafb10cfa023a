import type { Request } from '@fettle/contract';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import type { PathOptions } from '@fettle/policy';

/**
 * What an operation may change in addition to the built-in rules. Permissions come only from dedicated fields, never from
 * text: the words of a request, a file, an output or a message are not read here.
 */
export function pathPermissions(
  { targetFiles }: Pick<Request, 'targetFiles'>,
  { protectedPaths }: Pick<RepositoryConfig, 'protectedPaths'>,
  { allowGuards }: { allowGuards: string[] },
): PathOptions {
  return { protectedPaths, named: targetFiles, allowGuards };
}
