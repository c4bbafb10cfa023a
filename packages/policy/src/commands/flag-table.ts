import type { OperandKind } from './rules/rule.ts';

export interface FlagValue {
  kind: OperandKind;
  isOptional: boolean;
}
/** By the flag's spelling; undefined for one that takes no value. */
export type FlagTable = ReadonlyMap<string, FlagValue | undefined>;

const tables = new Map<string, FlagTable>();

/** Reads `-n --include=pattern --color[=name]`; each text once. */
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
