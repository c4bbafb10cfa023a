// Where a symbolic link may point to. The toolbox refuses the others with a reason for the model; the host, which does
// not trust it, takes one that comes all the same for a lie.
import { isGitName } from './workspace-path.ts';

/** As long as the system itself lets a target be. */
const maxTargetBytes = 4095;

/**
 * Why a symbolic link may not be handed out. `..` is allowed at the front of the target only: there the link's
 * own folders, which are real ones, say exactly how far up it goes; after a name it would depend on other links.
 */
export function findTargetFault(path: string, target: string): string | undefined {
  if (target === '' || target.includes('\0') || Buffer.byteLength(target) > maxTargetBytes)
    return 'is a symbolic link to what is no path';
  if (target.includes('\ufffd')) return 'is a symbolic link whose target is not valid UTF-8';
  if (target.startsWith('/')) return 'is a symbolic link to an absolute path';
  const names = target.split('/').filter((name) => name !== '' && name !== '.');
  const firstName = names.findIndex((name) => name !== '..');
  const climbs = firstName === -1 ? names.length : firstName;
  const below = names.slice(climbs);
  const depth = path.split('/').length - 1;
  if (climbs > depth || below.includes('..')) return 'is a symbolic link that may leave the workspace';
  // Wherever it stands: by way of another link it may be the one at the top.
  if (below.some(isGitName)) return "is a symbolic link into git's own folder";
  return undefined;
}
