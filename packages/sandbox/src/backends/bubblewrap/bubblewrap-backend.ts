import { openSandbox } from '../../host/open-sandbox.ts';
import type { Backend, BackendOptions } from '../backend.ts';
import { clearLeftovers, tryEach } from '../leftovers.ts';
import { defaultSandboxLimits } from '../limits.ts';
import { clearCgroups } from './clear-cgroups.ts';
import { clearOldCaches, markUsed } from './compile-caches.ts';
import { type BubblewrapPlace, prepareBubblewrap } from './prepare-place.ts';
import { startBubblewrapToolbox } from './start-bubblewrap.ts';

/** What a program is looked for in, inside; a node of ours comes last, for machines whose own cannot be seen there. */
const insideSearchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/fettle/bin';

export async function openBubblewrap(options: BackendOptions): Promise<Backend> {
  const { readOnly = [], limits = defaultSandboxLimits } = options;
  async function start(
    place: BubblewrapPlace,
    more: { warmUpAfterMs?: number; cacheWritable?: boolean } = {},
  ) {
    const toolbox = await startBubblewrapToolbox({
      ...{ place, limits, readOnly, searchPath: insideSearchPath, warmUpAfterMs: 0, ...more },
    });
    return openSandbox(toolbox, { backend: 'bubblewrap', warning: undefined });
  }
  const prepare = () =>
    prepareBubblewrap(options.folder, options.searchPath, async (draft) => {
      const sandbox = await start(draft, { cacheWritable: true, warmUpAfterMs: 600_000 });
      await sandbox.close();
    });
  const place = await prepare();
  return {
    name: 'bubblewrap',
    warning: undefined,
    async start(given = {}) {
      if (!markUsed(place.compileCache)) await prepare();
      return start(place, given);
    },
    async clearLeftovers() {
      let names: string[] = [];
      const clearFolders = async () => {
        names = await clearLeftovers(place.folder);
      };
      const clearCaches = () => clearOldCaches(place.folder);
      await tryEach([() => clearCgroups(place.folder), clearFolders, clearCaches], (clear) => clear());
      return names;
    },
  };
}
