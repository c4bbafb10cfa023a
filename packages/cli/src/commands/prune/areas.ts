/** The parts of FETTLE_HOME, and what of each can be made again. */
import { basename, join } from 'node:path';
import { isLeftover } from '@fettle/sandbox';
import { toolsFolder } from '@fettle/toolchain';
import { type Entry, listEntries, measure } from './measure.ts';

/** Part of the name of a folder that is being removed. A killed command leaves it, and the next one removes it. */
export const prunedMark = '.pruned-';

export interface Area {
  name: string;
  about: string;
  bytes: number;
  removable: Entry[];
  /** Removed only while no server runs: a sandbox or an attempt could be using it. */
  needsExclusive: boolean;
}

export interface Scope {
  home: string;
  /** Nothing that was used after this time is removable. */
  before: number;
}

const hour = 3_600_000;

export async function listAreas(scope: Scope): Promise<Area[]> {
  const { home, before } = scope;
  const isOld = ({ path, usedAtMs }: Entry) => usedAtMs < before || path.includes(prunedMark);
  const cache = join(home, 'registry-cache');
  const [cached, incoming, tools, mirrors, checks] = await Promise.all([
    listCached(join(cache, 'entries')),
    listEntries(join(cache, 'incoming')),
    listEntries(toolsFolder(home)),
    listEntries(join(home, 'mirrors')),
    listEntries(join(home, 'base-checks')),
  ]);
  const areas: Area[] = [
    {
      ...area('registry-cache', 'packages that sandboxes install', [...cached, ...incoming]),
      removable: [...cached.filter(isOld), ...incoming.filter(isAbandoned(hour))],
    },
    {
      ...area('tools/npm', 'versions of Node and package managers', tools),
      removable: tools.filter((entry) => isOld(entry) && !isDraft(entry)),
      needsExclusive: true,
    },
    {
      ...area('mirrors', 'clones of the repositories', mirrors),
      removable: mirrors.filter((entry) => (isDraft(entry) ? isAbandoned(24 * hour)(entry) : isOld(entry))),
      needsExclusive: true,
    },
    { ...area('base-checks', 'results of checks before a change', checks), removable: checks.filter(isOld) },
    await listOwned(home, 'sandboxes', 'workspaces of sandboxes'),
    await listOwned(home, 'brokers', 'folders of sandbox brokers'),
    ...(await Promise.all(lasting.map(([name, about]) => measureWhole(home, name, about)))),
  ];
  return areas.filter(({ bytes }) => bytes > 0).toSorted((a, b) => b.bytes - a.bytes);
}

/** What cannot be made again, or what a running server needs. */
const lasting: [string, string][] = [
  ['postgres', 'the database: operations, records, proposals'],
  ['redis', 'the queue and the newest events'],
  ['logs', 'logs of the server'],
  ['repositories', 'your repositories'],
  ['tools/redis', 'redis-server'],
  ['tools/gitleaks', 'gitleaks'],
];

function area(name: string, about: string, entries: Entry[]): Area {
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  return { name, about, bytes, removable: [], needsExclusive: false };
}

async function measureWhole(home: string, name: string, about: string): Promise<Area> {
  const { bytes } = await measure(join(home, name));
  return { ...area(name, about, []), bytes };
}

/** Folders that name the process that owns them. */
async function listOwned(home: string, name: string, about: string): Promise<Area> {
  const folder = join(home, name);
  const entries = await listEntries(folder);
  const removable = entries.filter(({ path }) => isLeftover(folder, basename(path)));
  return { ...area(name, about, entries), removable };
}

/** The cache marks an entry as used by its access time. */
async function listCached(folder: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const { path } of await listEntries(folder))
    entries.push(...(await listEntries(path, { byAccess: true })));
  return entries;
}

/** A draft belongs to a process that works on it right now, or that was killed. */
const isDraft = ({ path }: Entry) => /\.git\.new-|\/\.draft-/.test(path);
const isAbandoned =
  (afterMs: number) =>
  ({ usedAtMs }: Entry) =>
    usedAtMs < Date.now() - afterMs;
