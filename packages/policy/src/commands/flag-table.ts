import type { OperandKind } from './rules/rule.ts';

export interface FlagValue {
  kind: OperandKind;
  isOptional: boolean;
}
/** Keyed by the flag's spelling. Undefined for a flag without a value. */
export type FlagTable = ReadonlyMap<string, FlagValue | undefined>;

const tables = new Map<string, FlagTable>();

/** Parses `-n --include=pattern --color[=name]`, cached per text. */
export function readFlagTable(flags = ''): FlagTable {
  const known = tables.get(flags);
  if (known !== undefined) return known;
  const table = new Map(flags.split(/\s+/).filter(Boolean).map(readFlagEntry));
  tables.set(flags, table);
  return table;
}

function readFlagEntry(entry: string): [string, FlagValue | undefined] {
  const [, name = entry, bracket, kind] = /^([^=[]+)(\[?)=([\w-]+)\]?$/.exec(entry) ?? [];
  return [name, kind === undefined ? undefined : { kind: kind as OperandKind, isOptional: bracket === '[' }];
}
