// A control group for one sandbox, where this machine lets us make one: then the kernel itself holds the memory, the
// processors and the number of processes of all that runs inside, together.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readIfThere } from '../../proc/processes.ts';
import { defaultSandboxLimits, type SandboxLimits } from '../limits.ts';

export interface Cgroup {
  /** A process that writes its number here is in it, with all that it starts. */
  entries: string[];
  /** Whether the kernel killed something in it for want of memory. */
  ranOutOfMemory(): boolean;
  remove(): Promise<void>;
}

const periodUs = 100_000;

type Settings = (limits: SandboxLimits) => Record<string, number | string>;

/** One hierarchy with everything in it, as systems of today have it. */
const cgroupV2Settings: Settings = ({ memoryBytes, cpus, processes }) => ({
  'memory.max': memoryBytes,
  'memory.swap.max': 0,
  'pids.max': processes,
  'cpu.max': `${Math.round(cpus * periodUs)} ${periodUs}`,
});

/** One hierarchy for each kind of limit. */
const cgroupV1Settings: Record<string, Settings> = {
  // Memory first: memory with swap may not be less.
  memory: ({ memoryBytes }) => ({
    'memory.limit_in_bytes': memoryBytes,
    'memory.memsw.limit_in_bytes': memoryBytes,
  }),
  pids: ({ processes }) => ({ 'pids.max': processes }),
  cpu: ({ cpus }) => ({
    'cpu.cfs_period_us': periodUs,
    'cpu.cfs_quota_us': Math.round(cpus * periodUs),
  }),
};

/** Undefined where none can be made; the other limits hold all the same. */
export function makeCgroup(name: string, limits: SandboxLimits, root = '/sys/fs/cgroup'): Cgroup | undefined {
  const made: string[] = [];
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
    for (const folder of made) rmdirSync(folder);
    return undefined;
  }
  if (made.length === 0) return undefined;
  const ranOutOfMemory = () => made.some(hasKilled);
  const remove = async () => {
    for (const folder of made) await removeGroup(folder);
  };
  return { entries: made.map((folder) => join(folder, 'cgroup.procs')), ranOutOfMemory, remove };
}

/** Whether the kernel will hold the limits of sandboxes: only trying tells. */
export async function canHoldLimits(): Promise<boolean> {
  const trial = makeCgroup(`sandbox-trial-${process.pid}`, defaultSandboxLimits);
  await trial?.remove();
  return trial !== undefined;
}

const removalTries = 250;

/** What was killed stays in its group for a moment, and a child that has no name of its own yet is known by the group alone. */
async function removeGroup(folder: string): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return rmdirSync(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY' || tried === removalTries) throw error;
    }
    const members = readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').map(Number);
    for (const pid of members.filter((each) => each > 1)) killIfThere(pid);
    await delay(20);
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
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
    // At the top, as in a container, there is no parent that could be seen.
    const handedDown = (readIfThere(join(parent, 'cgroup.subtree_control')) ?? '').split(/\s/);
    return handedDown.includes('memory') && handedDown.includes('pids')
      ? [{ parent, settings: cgroupV2Settings }]
      : [];
  }
  return Object.entries(cgroupV1Settings).map(([kind, settings]) => ({
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
