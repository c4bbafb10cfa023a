/** `npm run bench`: the figures and their limits, as a table and as bench/results.json. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { startPlatform } from '../test/support/platform.ts';
import { makeRepository } from '../test/support/repository.ts';
import { measureStoring } from './checkpoints.ts';
import { measureCompaction } from './compaction.ts';
import { measureMemoryEach } from './concurrency.ts';
import { episode, errand, files } from './episode.ts';
import { measureAcceptedToCall, measureTypedToCall } from './first-call.ts';
import { growing, measureGrowth } from './growth.ts';
import { measureHarness } from './harness-time.ts';
import { distance, measureInstalls } from './install.ts';
import { measureContent, measurePaths } from './judging-files.ts';
import { measureLoopWatch } from './loop-watch.ts';
import { measurePolicy } from './policy.ts';
import { measureRecording, measureStream, measureTakeover } from './reliability.ts';
import { measureRepair } from './repair.ts';
import {
  measurePlainDocker,
  measurePlainGit,
  measurePlainSpawn,
  measureSandbox,
  type SandboxFigures,
} from './sandbox.ts';
import { measureScan } from './secrets.ts';
import { median, percentile } from './statistics.ts';
import { measurePerMinute, readMemory } from './throughput.ts';
import { measureTraffic } from './traffic.ts';

interface Figure {
  name: string;
  value: number;
  unit: string;
  limit?: number;
  beside?: string;
}

const sandboxImage = `fettle-sandbox:${JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')).version}`;
const figures: Figure[] = [];
const note = (figure: Figure) => {
  figures.push(figure);
  const { name, value, unit, limit, beside } = figure;
  const verdict =
    limit === undefined
      ? ''
      : value <= limit
        ? `  reached (at most ${limit})`
        : `  MISSED (at most ${limit})`;
  console.log(
    `${name.padEnd(58)} ${value.toFixed(value < 100 ? 1 : 0).padStart(8)} ${unit.padEnd(8)}${verdict}${beside ? `  ${beside}` : ''}`,
  );
};

note({
  name: 'loop detection at 500 parts, per turn, p50',
  value: measureLoopWatch(500),
  unit: 'µs',
  limit: 200,
  beside: `at 10 parts ${measureLoopWatch(10).toFixed(0)} µs, at 100 ${measureLoopWatch(100).toFixed(0)} µs`,
});

const { rebuildMs, compactMs } = measureCompaction(500);
note({
  name: 'leaving out old results at 500 parts',
  value: compactMs,
  unit: 'ms',
  limit: 5,
  beside: `rebuilding that conversation from its record ${rebuildMs.toFixed(1)} ms`,
});

const commandLines = measurePolicy();
note({
  name: 'judging one command line, p99',
  value: commandLines.p99Ms * 1000,
  unit: 'µs',
  limit: 1000,
  beside: `median ${(commandLines.medianMs * 1000).toFixed(0)} µs, over ${commandLines.lines} lines, with 300 rules of layers`,
});
note({ name: 'judging one path, p99', value: measurePaths(), unit: 'µs', limit: 1000 });
note({
  name: 'judging a new file of 1 MB by its content',
  value: measureContent(1_000_000),
  unit: 'ms',
  limit: 60,
  beside: `of 4 MB ${measureContent(4_000_000).toFixed(0)} ms, of 16 MB ${measureContent(16_000_000).toFixed(0)} ms`,
});

const scan = measureScan(1, 15);
note({
  name: 'scanning 1 MB of sources for secrets',
  value: scan.clockMs,
  unit: 'ms',
  limit: 60,
  beside: `of 10 MB ${measureScan(10, 3).clockMs.toFixed(0)} ms, of 50 MB ${measureScan(50, 1).clockMs.toFixed(0)} ms`,
});

const repair = await measureRepair();
note({
  name: 'a small fix, from request to proven proposal',
  value: repair.operationMs / repair.checksMs,
  unit: 'times',
  beside: `${(repair.operationMs / 1000).toFixed(1)} s beside ${(repair.checksMs / 1000).toFixed(1)} s of the bare checks, which it runs four times`,
});
note({
  name: 'sent over a 12-turn repair with 200 tests',
  value: repair.sent.summarised / 1000,
  unit: 'KB',
  beside: `with whole outputs ${(repair.sent.whole / 1000).toFixed(0)} KB`,
});

const repository = makeRepository(files);
const settings = {
  FETTLE_CONCURRENCY: '16',
  FETTLE_MODEL_IDLE_SECONDS: '600',
  FETTLE_MAX_TURNS: '1000',
  FETTLE_MAX_PARTS: '2000',
  FETTLE_MAX_TOKENS: '1000000000',
  FETTLE_MAX_USD: '10000',
  FETTLE_RATE_LIMIT: '1000000',
  FETTLE_FILE_REQUESTS_BURST: '1000000',
};
const platform = await startPlatform({ conversations: [episode, errand, ...growing], settings });
try {
  // Measures warm code, because a server runs for days.
  for (let round = 0; round < 3; round++) await measureHarness(platform, repository);
  const rounds = [];
  for (let round = 0; round < 7; round++) rounds.push(await measureHarness(platform, repository));
  const fettle = rounds.flatMap((round) => round.fettle);
  const plain = rounds.flatMap((round) => round.plain);
  const ratio = median(fettle) / median(plain);
  note({
    name: 'harness time per turn, p50',
    value: median(fettle),
    unit: 'ms',
    limit: 5,
    beside: `plain loop ${median(plain).toFixed(1)} ms, ratio ${ratio.toFixed(1)}`,
  });
  note({
    name: 'harness time per turn, p95',
    value: percentile(fettle, 0.95),
    unit: 'ms',
    beside: `plain loop ${percentile(plain, 0.95).toFixed(1)} ms`,
  });

  const since = platform.rehearsal.requests().length;
  const { events } = await platform.run(repository.request('implement', 'episode'));
  const traffic = measureTraffic(platform.rehearsal.requests().slice(since), events);
  note({ name: 'sent over the 20-turn episode', value: traffic.bytes / 1000, unit: 'KB', limit: 600 });
  note({
    name: 'of that, not a stable prefix',
    value: (1 - traffic.stableShare) * 100,
    unit: 'percent',
    limit: 5,
    beside: `at list prices $${traffic.usd.toFixed(4)}, without a cache $${traffic.usdWithout.toFixed(4)}`,
  });

  const accepted = [];
  for (let round = 0; round < 10; round++) accepted.push(await measureAcceptedToCall(platform, repository));
  note({
    name: 'accepted request to first model call, warm mirror, p50',
    value: median(accepted),
    unit: 'ms',
    limit: 1_000,
  });

  const one = await measurePerMinute(platform, repository, 1, 20);
  const four = await measurePerMinute(platform, repository, 4, 40);
  const sixteen = await measurePerMinute(platform, repository, 16, 64);
  note({ name: 'operations per minute, 1 at once', value: one, unit: '/min' });
  note({ name: 'operations per minute, 4 at once', value: four, unit: '/min' });
  note({ name: 'operations per minute, 16 at once', value: sixteen, unit: '/min' });
  note({ name: 'cost of one of 16, beside one alone', value: one / sixteen, unit: 'times', limit: 1.5 });
  const recording = await measureRecording(platform.redis.url, 2_000);
  note({
    name: 'cost of recording a part, p99',
    value: percentile(recording.record, 0.99),
    unit: 'ms',
    limit: 5,
    beside: `p50 ${median(recording.record).toFixed(2)} ms; a plain XADD: p50 ${median(recording.plain).toFixed(2)}, p99 ${percentile(recording.plain, 0.99).toFixed(2)} ms`,
  });
  const storing = await measureStoring(repository, 300);
  note({
    name: 'storing a checkpoint of 12 KB beside its part, p50',
    value: median(storing.stored),
    unit: 'ms',
    limit: 5,
    beside: `p99 ${percentile(storing.stored, 0.99).toFixed(1)} ms; a plain file: p50 ${median(storing.plain).toFixed(1)} ms`,
  });
  const memory = readMemory(platform.worker.pid);
  note({ name: 'memory of the worker', value: memory.now, unit: 'MB', beside: `peak ${memory.peak} MB` });

  // Last, because the journal keeps no earlier requests after it.
  const grown = await measureGrowth(platform, repository);
  const [first, , longest] = grown;
  const told = grown.map(
    (each) =>
      `${each.turns} turns: ${each.harnessMs.toFixed(1)} ms, ${(each.bytesEach / 1000).toFixed(0)} KB`,
  );
  note({
    name: 'harness time for what is sent, at 500 turns beside 10',
    value:
      (longest?.harnessMs ?? 0) /
      (first?.harnessMs ?? 1) /
      ((longest?.bytesEach ?? 0) / (first?.bytesEach ?? 1)),
    unit: 'times',
    limit: 1,
    beside: told.join('; '),
  });
} finally {
  await platform.close();
}
note({
  name: 'memory of the worker for each further operation at once',
  value: await measureMemoryEach(repository),
  unit: 'MB',
  limit: 30,
});
note({
  name: 'events through Redis, Postgres and HTTP to a follower',
  value: await measureStream(repository, 5_000),
  unit: '/s',
});
const takeover = await measureTakeover(repository, 3);
note({
  name: '`kill -9` of a worker to the next attempt’s first new part, p50',
  value: median(takeover),
  unit: 's',
  limit: 10,
  beside: `the longest ${Math.max(...takeover).toFixed(1)} s`,
});
const typed = await measureTypedToCall(repository, 5);
note({
  name: 'typing `fettle run` to first model call, second run, p50',
  value: median(typed.later),
  unit: 'ms',
  limit: 3_000,
  beside: `first run ${typed.first.toFixed(0)} ms`,
});
repository.remove();

// Before the sandboxes: an ext4 without a journal creates files slowly for minutes after thousands were removed.
const installs = await measureInstalls();
if (installs) {
  const { backend, coldMs, warmMs, plainMs } = installs;
  const line = `registry at ${distance.delayMs} ms and ${(distance.bytesPerSecond * 8) / 1e6} Mbit/s`;
  const beside = `plain npm ci ${(plainMs / 1000).toFixed(1)} s; ${line}`;
  note({ name: `${backend}: npm ci, cold cache, p50`, value: coldMs / 1000, unit: 's', beside });
  note({ name: `${backend}: npm ci, warm cache, p50`, value: warmMs / 1000, unit: 's', beside });
  note({ name: 'warm install, as a share of a cold one', value: warmMs / coldMs, unit: 'times', limit: 0.5 });
}

const sandboxLimits: Record<'docker' | 'bubblewrap', Partial<SandboxFigures>> = {
  docker: { readyMs: 1_000, echoMs: 1, commandMs: 5, handInMs: 1_500, handOutMs: 5 },
  bubblewrap: { readyMs: 200, echoMs: 0.5, commandMs: 3.5, handInMs: 1_500, handOutMs: 5 },
};
const sandboxNames = {
  readyMs: 'ready, p50',
  echoMs: 'echo over the toolbox, p50',
  commandMs: 'a spawned command, p50',
  handInMs: '50 MB in 5,000 files handed in, p50',
  handOutMs: 'one changed file handed out, p50',
  findOutMs: 'one changed file found among 5,000 and handed out, p50',
};
const plainSpawn = `a plain child process ${(await measurePlainSpawn()).toFixed(1)} ms`;
const plainGit = await measurePlainGit();
for (const backend of ['docker', 'bubblewrap'] as const) {
  const measured = await measureSandbox(backend);
  if (!measured) continue;
  const plain = backend === 'docker' ? await measurePlainDocker(sandboxImage) : undefined;
  const beside: Partial<Record<keyof typeof measured, string>> = {
    commandMs: plain ? `docker exec ${plain.execMs.toFixed(0)} ms` : plainSpawn,
    handInMs: `git clone ${plainGit.cloneMs.toFixed(0)} ms`,
    findOutMs: `git status ${plainGit.statusMs.toFixed(0)} ms`,
    ...(plain && { readyMs: `docker run ${plain.runMs.toFixed(0)} ms` }),
  };
  for (const [key, words] of Object.entries(sandboxNames)) {
    const name = key as keyof typeof measured;
    const limit = sandboxLimits[backend][name];
    note({
      name: `${backend}: ${words}`,
      value: measured[name],
      unit: 'ms',
      ...(limit !== undefined && { limit }),
      ...(beside[name] && { beside: beside[name] }),
    });
  }
}

const results = {
  at: new Date().toISOString(),
  node: process.version,
  cores: cpus().length,
  cpu: cpus()[0]?.model ?? 'unknown',
  figures,
};
writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
process.exitCode = figures.some(({ value, limit }) => limit !== undefined && value > limit) ? 1 : 0;
