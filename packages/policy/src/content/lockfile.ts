/** Reads npm lockfiles: where each package comes from, and its checksum. */
import { posix } from 'node:path';
import { z } from 'zod';
import type { ContentCheck, Found } from './content-rule.ts';
import { compareIntegrity } from './integrity.ts';
import { isInside, isRegistry } from './package-source.ts';

const entrySchema = z.looseObject({
  name: z.string().optional(),
  version: z.string().optional(),
  resolved: z.union([z.string(), z.boolean()]).optional(),
  integrity: z.string().optional(),
});
type Entry = z.infer<typeof entrySchema>;
const lockfileSchema = z.looseObject({
  packages: z.record(z.string(), entrySchema).optional(),
  dependencies: z.record(z.string(), z.unknown()).optional(),
});

const isLockfile = /^(package-lock|npm-shrinkwrap)\.json$/;

export const judgeLockfile: ContentCheck = ({ name, path, text, textBefore, isBinary }, { registries }) => {
  if (!isLockfile.test(name) || isBinary) return [];
  const now = readEntries(text);
  if (!now) return [{ rule: 'unreadable-manifest' }];
  const before = readEntries(textBefore) ?? new Map<string, Entry>();
  // A private registry that the repository already used.
  const used = [...before.values()].flatMap(({ resolved }) =>
    typeof resolved === 'string' ? [resolved] : [],
  );
  const origins = new Set(used.flatMap((address) => originOf(address) ?? []));
  const allowed = [...(registries ?? []), ...origins];
  return [...now].flatMap(([place, entry]) => {
    const old = before.get(place);
    return [
      ...judgeSource(place, entry, { old, allowed, folder: posix.dirname(path) }),
      ...compareIntegrity(place, entry, old),
    ];
  });
};

interface SourceContext {
  old: Entry | undefined;
  allowed: string[];
  folder: string;
}

function judgeSource(place: string, entry: Entry, { old, allowed, folder }: SourceContext): Found[] {
  const { resolved, version = '' } = entry;
  const token = `${place} ${resolved ?? version}`;
  const foreign: Found[] = [{ rule: 'dependency-source', token }];
  // The first lockfile format stored the source in the `version` field.
  const address = typeof resolved === 'string' ? resolved : versionAddress(version);
  if (address === undefined || address === old?.resolved || (address === version && version === old?.version))
    return [];
  const path = /^(?:file:)?([^:]*)$/.exec(address)?.[1];
  if (path !== undefined) return isInside(path, folder) ? [] : foreign;
  return isRegistry(address, allowed) && isOf(packageOf(place, entry), address) ? [] : foreign;
}

const versionAddress = (version: string) =>
  /[:/]/.test(version) && !/^npm:/.test(version) ? version : undefined;

/** Registries store a package's files under its name, so another name means another package. */
function isOf(name: string, resolved: string): boolean {
  const path = URL.parse(resolved)?.pathname.replace(/%2f/gi, '/') ?? '';
  return !path.includes('/-/') || path.includes(`/${name}/-/`);
}

function packageOf(place: string, { name, version = '' }: Entry): string {
  const alias = /^npm:((?:@[^/@]+\/)?[^/@]+)@/.exec(version)?.[1];
  return name ?? alias ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Deeper than packages are ever nested. */
const maxDepth = 100;

/** Keyed by the install path. Undefined when the file is not a lockfile. */
function readEntries(text: string): Map<string, Entry> | undefined {
  try {
    const { packages = {}, dependencies = {} } = lockfileSchema.parse(
      JSON.parse(text.replace(/^\ufeff/, '')),
    );
    const entries = new Map(Object.entries(packages));
    // Old npm versions read `dependencies`, newer ones `packages`. Judge both.
    const waiting = [{ prefix: 'dependencies/', depth: 0, dependencies }];
    for (let each = waiting.pop(); each; each = waiting.pop()) {
      if (each.depth > maxDepth) return undefined;
      for (const [name, value] of Object.entries(each.dependencies)) {
        const place = `${each.prefix}node_modules/${name}`;
        const entry = entrySchema.parse(value);
        entries.set(place, entry);
        const nested = z.record(z.string(), z.unknown()).safeParse(entry.dependencies).data;
        if (nested) waiting.push({ prefix: `${place}/`, depth: each.depth + 1, dependencies: nested });
      }
    }
    return entries;
  } catch {
    return undefined;
  }
}

function originOf(address: string): string | undefined {
  const url = URL.parse(address);
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
