import { join } from 'node:path';
import { runQuietly } from './child.mjs';
import { binFolder, findProgram, home, root, workspacePath } from './places.mjs';
import { hasStamp, stamped } from './stamp.mjs';

// Optional: everything but a push works without it, and a push says so. It is tried once in a clone, because
// asking mirrors that cannot be reached takes minutes.
export const gitleaks = {
  optional: true,
  title: () => `fetching gitleaks into ${join(home, 'tools')}`,
  isNeeded: () => !findProgram('gitleaks', workspacePath) && !hasStamp('gitleaks-tried', home),
  run: async () => {
    await stamped('gitleaks-tried', home, async () => {});
    await runQuietly(join(binFolder, 'node'), [join(root, 'packages/secrets/src/gitleaks/fetch-main.ts')], {
      cwd: root,
      env: { ...process.env, PATH: workspacePath, FETTLE_HOME: home },
      failure: 'gitleaks could not be fetched; going on without it.',
      advice: "Put gitleaks 8.19 or newer on the PATH; 'fettle doctor' says whether it is found.",
    });
  },
};
