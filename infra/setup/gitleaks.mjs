import { join } from 'node:path';
import { runQuietly } from './child.mjs';
import { binFolder, findProgram, home, root, workspacePath } from './places.mjs';
import { hasStamp, stamped } from './stamp.mjs';

/**
 * Optional: only pushes need gitleaks, and they report that it is missing. Set-up tries once per clone, because
 * unreachable mirrors take minutes to time out.
 */
export const gitleaks = {
  optional: true,
  title: () => `fetching gitleaks into ${join(home, 'tools')}`,
  isNeeded: () => !findProgram('gitleaks', workspacePath) && !hasStamp('gitleaks-tried', home),
  run: async () => {
    await stamped('gitleaks-tried', home, async () => {});
    await runQuietly(join(binFolder, 'node'), [join(root, 'packages/secrets/src/gitleaks/fetch-main.ts')], {
      cwd: root,
      env: { ...process.env, PATH: workspacePath, FETTLE_HOME: home },
      failure: 'Fetching gitleaks failed. Continuing without it.',
      advice: "Install gitleaks 8.19 or newer on the PATH, then run 'fettle doctor' to check it.",
    });
  },
};
