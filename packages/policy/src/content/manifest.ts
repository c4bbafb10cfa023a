/** Checks what a package.json runs or installs on the machines of those who install it. */
import { posix } from 'node:path';
import { z } from 'zod';
import type { ContentCheck, Found } from './content-rule.ts';
import { isKnownSource } from './package-source.ts';

const texts = z.record(z.string(), z.string());
interface Overrides {
  [name: string]: string | Overrides;
}
const overrides: z.ZodType<Overrides> = z.record(z.string(), z.union([z.string(), z.lazy(() => overrides)]));
const manifestSchema = z.looseObject({
  scripts: texts.optional(),
  dependencies: texts.optional(),
  devDependencies: texts.optional(),
  optionalDependencies: texts.optional(),
  peerDependencies: texts.optional(),
  overrides: overrides.optional(),
  resolutions: texts.optional(),
  packageManager: z.string().optional(),
  gypfile: z.boolean().optional(),
  pnpm: z.looseObject({ overrides: texts.optional() }).optional(),
});
type Manifest = z.infer<typeof manifestSchema>;

const runOnInstall =
  /^(pre|post)?(install|prepare)$|^(pre)?publish$|^prepublish$|^dependencies$|^(pre|post)?(un)?install$|^pnpm:devPreinstall$/;
/** Fields that name packages whose scripts may run, or programs that install. */
const runners = ['packageManager', 'pnpm', 'trustedDependencies', 'dependenciesMeta', 'devEngines', 'config'];
const maxDepth = 20;

export const judgeManifest: ContentCheck = ({ name, path, text, textBefore, isBinary }) => {
  if (name !== 'package.json' || isBinary) return [];
  const now = parse(text);
  if (!now) return [{ rule: 'unreadable-manifest' }];
  const before = parse(textBefore) ?? {};
  const folder = posix.dirname(path);
  return [
    ...findScripts(now, before),
    ...findSources(now, before, folder),
    ...findRunners(now, before),
    ...findNew(now, before),
  ];
};

function parse(text: string): Manifest | undefined {
  try {
    return manifestSchema.safeParse(JSON.parse(text.replace(/^\ufeff/, ''))).data;
  } catch {
    return undefined;
  }
}

function findScripts(now: Manifest, before: Manifest): Found[] {
  const scripts = Object.entries(now.scripts ?? {})
    .filter(([name, command]) => runOnInstall.test(name) && before.scripts?.[name] !== command)
    .map(([name]): Found => ({ rule: 'install-script', token: name }));
  const isBuilt = now.gypfile === true && before.gypfile !== true;
  return [...scripts, ...(isBuilt ? [{ rule: 'install-script', token: 'gypfile' } as const] : [])];
}

function findSources(now: Manifest, before: Manifest, folder: string): Found[] {
  const known = new Set(listSpecs(before).map(String));
  const foreign = listSpecs(now).filter(
    (each) => !known.has(String(each)) && !isKnownSource(each[1], folder),
  );
  // Corepack accepts a URL in place of a version.
  const manager = now.packageManager ?? '';
  const isFetched = manager !== before.packageManager && /:\/\//.test(manager);
  return [...foreign.map((each) => each.join('@')), ...(isFetched ? [manager] : [])].map((token) => ({
    rule: 'dependency-source',
    token,
  }));
}

function dependenciesOf(manifest: Manifest): [string, string][] {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = manifest;
  return Object.entries({
    ...peerDependencies,
    ...optionalDependencies,
    ...devDependencies,
    ...dependencies,
  });
}

function listSpecs(manifest: Manifest): [string, string][] {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies, resolutions } = manifest;
  const flat = [dependencies, devDependencies, optionalDependencies, peerDependencies, resolutions];
  return [
    ...[...flat, manifest.pnpm?.overrides].flatMap((each) => Object.entries(each ?? {})),
    ...flatten(manifest.overrides ?? {}, maxDepth),
  ];
}

/** Values that are nested deeper than anybody writes them count as foreign. */
function flatten(value: Overrides, depth: number): [string, string][] {
  return Object.entries(value).flatMap(([name, spec]): [string, string][] => {
    if (typeof spec === 'string') return [[name, spec]];
    return depth === 0 ? [[name, '://']] : flatten(spec, depth - 1);
  });
}

function findRunners(now: Manifest, before: Manifest): Found[] {
  return runners
    .filter((field) => JSON.stringify(now[field]) !== JSON.stringify(before[field]))
    .map((token) => ({ rule: 'package-manager', token }));
}

function findNew(now: Manifest, before: Manifest): Found[] {
  const known = new Set(dependenciesOf(before).map(([name]) => name));
  return dependenciesOf(now)
    .filter(([name, spec]) => !known.has(name) && !spec.startsWith('workspace:'))
    .map(([name, spec]) => ({ rule: 'new-dependency', token: `${name}@${spec}` }));
}
