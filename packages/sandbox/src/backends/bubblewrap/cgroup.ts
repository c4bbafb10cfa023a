/**
 * A control group (cgroup) for one sandbox, where this machine allows us to create one. The kernel then limits the memory,
 * the CPU and the number of processes of everything inside.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { countOomKills } from '../../proc/memory.ts';
import { readIfThere, sendSignal } from '../../proc/processes.ts';
import { isLeftover, tryEach } from '../leftovers.ts';
import { defaultSandboxLimits, type SandboxLimits } from '../limits.ts';

export interface Cgroup {
  /** A process joins the group, with all its future children, by writing its pid to these files. */
  entries: string[];
  /** How many processes of the group the kernel has killed because it exceeded the memory limit. */
  oomKills(): number;
  remove(): Promise<void>;
}

const periodUs = 100_000;

type Settings = (limits: SandboxLimits) => Record<string, number | string>;

/** Cgroups v2: one hierarchy for all limits. */
const cgroupV2Settings: Settings = ({ memoryBytes, cpus, processes }) => ({
  'memory.max': memoryBytes,
  'memory.swap.max': 0,
  'pids.max': processes,
  'cpu.max': `${Math.round(cpus * periodUs)} ${periodUs}`,
});

/** Cgroups v1: one hierarchy for each kind of limit. */
const cgroupV1Settings: Record<string, Settings> = {
  // In this order: the limit of memory with swap must not be lower than that of memory.
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

/** Undefined where none can be created. The other limits (rlimits, `watchLimits`) still apply. */
export function makeCgroup(name: string, limits: SandboxLimits, root = '/sys/fs/cgroup'): Cgroup | undefined {
  const made: string[] = [];
  try {
    for (const { parent, settings } of findPlaces(root)) {
      const folder = join(parent, name);
      mkdirSync(folder);
      made.push(folder);
      for (const [file, value] of Object.entries(settings(limits))) {
        // The file is missing on kernels without swap or without this controller.
        if (existsSync(join(folder, file))) writeFileSync(join(folder, file), String(value));
      }
    }
  } catch {
    for (const folder of made) rmdirSync(folder);
    return undefined;
  }
  if (made.length === 0) return undefined;
  const oomKills = () => countOomKills(made);
  const remove = async () => {
    for (const folder of made) await removeGroup(folder);
  };
  return { entries: made.map((folder) => join(folder, 'cgroup.procs')), oomKills, remove };
}

/** Whether the kernel can enforce the limits of sandboxes. Only a trial shows that. */
export async function canLimitByCgroup(): Promise<boolean> {
  const trial = makeCgroup(`sandbox-trial-${process.pid}`, defaultSandboxLimits);
  await trial?.remove();
  return trial !== undefined;
}

/**
 * Removes the cgroups of this folder's dead workers, with all processes in them. A worker that is killed while a sandbox
 * starts may leave a bwrap process that waits forever for another one that is dead too. It has no marker in its
 * environment yet, so only its cgroup identifies it.
 */
export async function clearCgroups(folder: string): Promise<void> {
  await tryEach(
    listCgroups((name) => isLeftover(folder, name)),
    removeGroup,
  );
}

const removalTries = 250;

/** Killed processes stay in their group for a moment, and another worker may remove the same group. */
async function removeGroup(folder: string): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return rmdirSync(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return;
      if (code !== 'EBUSY' || tried === removalTries) throw error;
    }
    const members = (readIfThere(join(folder, 'cgroup.procs')) ?? '').split('\n').map(Number);
    for (const pid of members.filter((each) => each > 1)) sendSignal(pid, 'SIGKILL');
    await delay(20);
  }
}

/** Returns the folders of the groups with these names. */
export function listCgroups(isWanted: (name: string) => boolean, root = '/sys/fs/cgroup'): string[] {
  return findPlaces(root).flatMap(({ parent }) =>
    (existsSync(parent) ? readdirSync(parent) : []).filter(isWanted).map((name) => join(parent, name)),
  );
}

function findPlaces(root: string): { parent: string; settings: Settings }[] {
  const own = ownGroups();
  if (existsSync(join(root, 'cgroup.controllers'))) {
    // A group with processes of its own cannot have children with limits, so use the parent of our group.
    const parent = dirname(join(root, own.get('') ?? '/'));
    // Empty at the top of the hierarchy, as in a container, where the parent is not visible.
    const delegated = (readIfThere(join(parent, 'cgroup.subtree_control')) ?? '').split(/\s/);
    return delegated.includes('memory') && delegated.includes('pids')
      ? [{ parent, settings: cgroupV2Settings }]
      : [];
  }
  return Object.entries(cgroupV1Settings).map(([kind, settings]) => ({
    parent: join(root, kind, own.get(kind) ?? '/'),
    settings,
  }));
}

/** The group of this process, by kind of limit. The kind is empty for cgroups v2. */
function ownGroups(): Map<string, string> {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [, kinds = '', path = '/'] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
      return kinds.split(',').map((kind) => [kind, path] as const);
    }),
  );
}
