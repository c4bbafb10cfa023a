/** The time until the first call of the model. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startRehearsal } from '@fettle/rehearsal';
import type { Platform } from '../test/support/platform.ts';
import type { TestRepository } from '../test/support/repository.ts';
import { errand } from './episode.ts';

/** From the response to the accepted request to the first model call, with a warm mirror. */
export async function measureAcceptedToCall(platform: Platform, repository: TestRepository): Promise<number> {
  const since = platform.rehearsal.requests().length;
  const { id } = await platform.create(repository.request('fix', 'errand'));
  const acceptedAt = now();
  await platform.follow(id);
  return (platform.rehearsal.requests()[since]?.receivedAtMs ?? Number.NaN) - acceptedAt;
}

/** From the start of `fettle run` to the first model call, each time with a new embedded stack on the same home. */
export async function measureTypedToCall(
  repository: TestRepository,
  runs: number,
): Promise<{ first: number; later: number[] }> {
  const home = mkdtempSync(join(tmpdir(), 'fettle-bench-'));
  const rehearsal = await startRehearsal({ conversations: [errand] });
  const environment = {
    PATH: process.env.PATH,
    HOME: homedir(),
    FETTLE_HOME: home,
    // Like a user's setting. Other systems than Linux have only this sandbox.
    FETTLE_SANDBOX: process.platform === 'linux' ? 'auto' : 'process',
    ANTHROPIC_API_KEY: 'bench',
    ANTHROPIC_BASE_URL: rehearsal.url,
  };
  const fettle = resolve(import.meta.dirname, '../node_modules/.bin/fettle');
  const times: number[] = [];
  try {
    for (let run = 0; run <= runs; run++) {
      const since = rehearsal.requests().length;
      const typedAt = now();
      const child = spawn(fettle, ['run', 'fix', 'errand', '--repo', repository.path, '--json'], {
        env: environment,
        stdio: 'ignore',
      });
      const [code] = await once(child, 'exit');
      if (code !== 0) throw new Error(`fettle run ended with ${code}`);
      times.push((rehearsal.requests()[since]?.receivedAtMs ?? Number.NaN) - typedAt);
    }
  } finally {
    await rehearsal.close();
    rmSync(home, { recursive: true, force: true });
  }
  const [first = Number.NaN, ...later] = times;
  return { first, later };
}

/** The clock that the rehearsal uses. */
function now(): number {
  return performance.timeOrigin + performance.now();
}
