import { join } from 'node:path';
import { runQuietly } from './child.mjs';
import { binFolder, findProgram, home, root, workspacePath } from './places.mjs';

/** Optional: what does not need Redis runs without it, and the rest reports that it is missing. */
export const redisServer = {
  optional: true,
  title: () => `fetching redis-server into ${join(home, 'tools')}`,
  isNeeded: () => !process.env.REDIS_URL && !findProgram('redis-server', workspacePath),
  run: () =>
    runQuietly(join(binFolder, 'node'), [join(root, 'packages/queue/src/redis/fetch-main.ts')], {
      cwd: root,
      env: { ...process.env, PATH: workspacePath, FETTLE_HOME: home },
      failure: 'Fetching redis-server failed. Continuing without it.',
      advice: 'Install redis-server with your package manager, or set REDIS_URL.',
    }),
};
