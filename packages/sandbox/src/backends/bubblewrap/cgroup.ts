// A control group for one sandbox, where this machine lets us make one: then the kernel itself holds the memory, the
// processors and the number of processes of all that runs inside, together.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SandboxLimits } from '../limits.ts';

export interface Cgroup {
  /** A process that writes its number here is in it, with all that it starts. */
  entries: string[];
  /** Whether the kernel killed something in it for want of memory. */
  ranOutOfMemory(): boolean;
  remove(): void;
}

const PERIOD_US = 100_000;

type Settings = (limits: SandboxLimits) => Record<string, number | string>;

/** One hierarchy with everything in it, as systems of today have it. */
const UNIFIED: Settings = ({ memoryBytes, cpus, processes }) => ({
  'memory.max': memoryBytes,
  'memory.swap.max': 0,
  'pids.max': processes,
  'cpu.max': `${Math.round(cpus * PERIOD_US)} ${PERIOD_US}`,
});

/** One hierarchy for each kind of limit. */
const SEPARATE: Record<string, Settings> = {
  // Memory first: memory with swap may not be less.
  memory: ({ memoryBytes }) => ({
    'memory.limit_in_bytes': memoryBytes,
    'memory.memsw.limit_in_bytes': memoryBytes,
  }),
  pids: ({ processes }) => ({ 'pids.max': processes }),
  cpu: ({ cpus }) => ({
    'cpu.cfs_period_us': PERIOD_US,
    'cpu.cfs_quota_us': Math.round(cpus * PERIOD_US),
  }),
};

/** Undefined where none can be made; the other limits hold all the same. */
export function makeCgroup(name: string, limits: SandboxLimits, root = '/sys/fs/cgroup'): Cgroup | undefined {
  const made: string[] = [];
  const remove = () => {
    for (const folder of made) rmdirSync(folder);
  };
  try {
    for (const { parent, settings } of findPlaces(root)) {
      const folder = join(parent, name);
      mkdirSync(folder);
      made.push(folder);
      for (const [file, value] of Object.entries(settings(limits))) {
        // A kernel without swap, or without this controller, has no such file.
        if (existsSync(join(folder, file))) writeFileSync(join(folder, file), String(value));
      }
    }
  } catch {
    remove();
    return undefined;
  }
  if (made.length === 0) return undefined;
  const ranOutOfMemory = () => made.some(hasKilled);
  return { entries: made.map((folder) => join(folder, 'cgroup.procs')), ranOutOfMemory, remove };
}

/** The groups by these names, with where each of their folders is. */
export function listCgroups(isWanted: (name: string) => boolean, root = '/sys/fs/cgroup'): string[] {
  return findPlaces(root).flatMap(({ parent }) =>
    (existsSync(parent) ? readdirSync(parent) : []).filter(isWanted).map((name) => join(parent, name)),
  );
}

function findPlaces(root: string): { parent: string; settings: Settings }[] {
  const own = ownGroups();
  if (existsSync(join(root, 'cgroup.controllers'))) {
    // Limits are handed down to children only, and whoever has processes of its own may have none.
    const parent = dirname(join(root, own.get('') ?? '/'));
    const handedDown = readFileSync(join(parent, 'cgroup.subtree_control'), 'utf8').split(/\s/);
    return handedDown.includes('memory') && handedDown.includes('pids')
      ? [{ parent, settings: UNIFIED }]
      : [];
  }
  return Object.entries(SEPARATE).map(([kind, settings]) => ({
    parent: join(root, kind, own.get(kind) ?? '/'),
    settings,
  }));
}

/** Where this process is, by kind; the unified hierarchy has none. */
function ownGroups(): Map<string, string> {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [, kinds = '', path = '/'] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
      return kinds.split(',').map((kind) => [kind, path] as const);
    }),
  );
}

function hasKilled(folder: string): boolean {
  const file = ['memory.events', 'memory.oom_control'].map((name) => join(folder, name)).find(existsSync);
  return file !== undefined && /^oom_kill [1-9]/m.test(readFileSync(file, 'utf8'));
}
