import { harmlessLine } from '../../view/harmless.ts';
import { bold, dim, green, type Line, yellow } from '../../view/line.ts';
import { showBytes } from '../../view/quantities.ts';

/** The object that `fettle prune --json` prints. */
export interface PruneReport {
  home: string;
  dryRun: boolean;
  bytes: number;
  /** What was removed, or with --dry-run, what would be. */
  removableBytes: number;
  areas: { name: string; about: string; bytes: number; removableBytes: number; kept?: string }[];
}

export function describePrune({ home, dryRun, bytes, removableBytes, areas }: PruneReport): Line[] {
  const name = Math.max(4, ...areas.map((each) => each.name.length));
  const size = (value: number) => showBytes(value).padStart(9);
  const total = `${showBytes(removableBytes)} of ${showBytes(bytes)}`;
  return [
    [bold(harmlessLine(home))],
    [dim(`${''.padEnd(name)} ${'size'.padStart(9)} ${(dryRun ? 'removable' : 'removed').padStart(9)}`)],
    ...areas.map(
      (area): Line => [
        area.name.padEnd(name),
        ` ${size(area.bytes)} `,
        area.removableBytes > 0 ? bold(size(area.removableBytes)) : dim('–'.padStart(9)),
        dim(`  ${area.about}`),
        area.kept === undefined ? '' : yellow(` (${area.kept})`),
      ],
    ),
    [],
    dryRun
      ? [`${total} would be removed; nothing was`]
      : [green('✓ '), removableBytes > 0 ? `${total} removed` : 'nothing to remove'],
  ];
}
