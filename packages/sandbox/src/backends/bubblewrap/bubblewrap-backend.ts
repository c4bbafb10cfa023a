import { mkdirSync } from 'node:fs';
import { openSandbox } from '../../host/open-sandbox.ts';
import type { Backend, BackendOptions } from '../backend.ts';
import { clearLeftovers, tryEach } from '../leftovers.ts';
import { defaultSandboxLimits } from '../limits.ts';
import { insidePaths, systemSearchPath } from './arguments.ts';
import { clearCgroups } from './cgroup.ts';
import { clearOldCaches, markUsed } from './compile-caches.ts';
import { type BubblewrapSetup, prepareBubblewrap } from './prepare-bubblewrap.ts';
import { startBubblewrapToolbox } from './start-bubblewrap.ts';

/** The PATH of commands. Our own node comes last, for machines whose node is not visible inside. */
const searchPath = `${systemSearchPath}:/opt/fettle/bin`;

const toolPlaces = { tools: insidePaths.tools, ownNode: insidePaths.ownNode, searchPath };

export async function openBubblewrap(options: BackendOptions): Promise<Backend> {
  const { tools, limits = defaultSandboxLimits } = options;
  const readOnly = [
    ...(options.readOnly ?? []).map((path) => ({ source: path, path })),
    ...(tools === undefined ? [] : [{ source: tools, path: insidePaths.tools }]),
  ];
  if (tools !== undefined) mkdirSync(tools, { recursive: true, mode: 0o755 });
  async function start(
    setup: BubblewrapSetup,
    more: { warmUpAfterMs?: number; cacheWritable?: boolean } = {},
  ) {
    const toolbox = await startBubblewrapToolbox({
      ...{ setup, limits, readOnly, searchPath, warmUpAfterMs: 0, ...more },
    });
    const places = tools === undefined ? undefined : toolPlaces;
    return openSandbox(toolbox, { backend: 'bubblewrap', warning: undefined, places });
  }
  const prepare = () =>
    prepareBubblewrap(options.folder, options.searchPath, async (draft) => {
      const sandbox = await start(draft, { cacheWritable: true, warmUpAfterMs: 600_000 });
      await sandbox.close();
    });
  const setup = await prepare();
  return {
    name: 'bubblewrap',
    warning: undefined,
    async start(startOptions = {}) {
      if (!markUsed(setup.compileCache)) await prepare();
      return start(setup, startOptions);
    },
    async clearLeftovers() {
      let names: string[] = [];
      const clearFolders = async () => {
        names = await clearLeftovers(setup.folder);
      };
      const clearCaches = () => clearOldCaches(setup.folder);
      await tryEach([() => clearCgroups(setup.folder), clearFolders, clearCaches], (clear) => clear());
      return names;
    },
  };
}
