import { z } from 'zod';

export interface Manifest {
  name: string | undefined;
  scripts: Map<string, string>;
  packages: ReadonlySet<string>;
  /** The patterns of a workspace's folders. Undefined if the manifest has no such field. */
  workspaces: string[] | undefined;
}

const record = z.record(z.string(), z.unknown()).optional().catch(undefined);
const patterns = z.array(z.string().max(300)).max(200);
const schema = z.object({
  name: z.string().max(214).optional().catch(undefined),
  scripts: record,
  dependencies: record,
  devDependencies: record,
  optionalDependencies: record,
  workspaces: z
    .union([patterns, z.object({ packages: patterns }).transform(({ packages }) => packages)])
    .optional()
    .catch([]),
});

/** Undefined if the text is not a manifest. */
export function parseManifest(text: string): Manifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) return undefined;
  const { name, scripts = {}, dependencies, devDependencies, optionalDependencies, workspaces } = parsed.data;
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';
  return {
    name,
    scripts: new Map(Object.entries(scripts).filter(isText)),
    packages: new Set(Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })),
    workspaces,
  };
}
