/**
 * Where a symbolic link may point. The toolbox refuses other links with a reason for the model. The host checks again and
 * treats such a link as a protocol error.
 */
import { isGitName } from './workspace-path.ts';

/** The kernel's limit. */
const maxTargetBytes = 4095;

/**
 * Returns why a symbolic link is refused. `..` is allowed only at the start of the target: there the link's own path, whose
 * folders are real, determines where it leads. After a name, it would depend on other links.
 */
export function findTargetFault(path: string, target: string): string | undefined {
  if (target === '' || target.includes('\0') || Buffer.byteLength(target) > maxTargetBytes)
    return 'is a symbolic link to an invalid path';
  if (target.includes('\ufffd')) return 'is a symbolic link whose target is not valid UTF-8';
  if (target.startsWith('/')) return 'is a symbolic link to an absolute path';
  const names = target.split('/').filter((name) => name !== '' && name !== '.');
  const firstName = names.findIndex((name) => name !== '..');
  const climbs = firstName === -1 ? names.length : firstName;
  const below = names.slice(climbs);
  const depth = path.split('/').length - 1;
  if (climbs > depth || below.includes('..')) return 'is a symbolic link that may leave the workspace';
  // At any depth, because another link may make it the one at the top.
  if (below.some(isGitName)) return "is a symbolic link into git's own folder";
  return undefined;
}
