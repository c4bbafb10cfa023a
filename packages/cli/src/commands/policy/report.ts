/** Shows what was denied most often, so that an operator can find rules that block legitimate work. */
import type { DeniedGroup } from '@fettle/contract';
import { usageError } from '../../cli-error.ts';
import { withServer } from '../../server/with-server.ts';
import { harmlessLine } from '../../view/harmless.ts';
import { bold, dim, type Line } from '../../view/line.ts';
import { printJson } from '../../view/print-json.ts';
import { openTerminal } from '../../view/terminal.ts';
import { showMinute, showZone } from '../../view/text/local-time.ts';

export interface PolicyReportOptions {
  since: string;
  limit: string;
  offset: string;
  json?: boolean;
  color: boolean;
}

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

export async function policyReport(options: PolicyReportOptions): Promise<void> {
  const query = { since: readSince(options.since), ...readPage(options) };
  await withServer(async ({ client }) => {
    const report = await client.denials(query);
    if (options.json) return printJson(report);
    const { groups, total, more } = report;
    const terminal = openTerminal(process.stdout, { color: options.color });
    terminal.print([
      [dim(`${total} denied since ${showMinute(query.since)} ${showZone(query.since)}`)],
      ...groups.flatMap(describeGroup),
      ...(more ? [[dim(`there are more: --offset ${Number(query.offset) + groups.length}`)]] : []),
    ]);
  });
}

/** Parses `7d` or a date. */
export function readSince(text: string, now = Date.now()): string {
  const [, count, unit = ''] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  const at = count === undefined ? Date.parse(text) : now - Number(count) * (unitMs[unit] ?? 0);
  if (Number.isNaN(at) || (count === undefined && !/^\d{4}-\d\d-\d\d/.test(text)))
    throw usageError(`--since takes 30m, 12h, 7d, 4w or a date such as 2026-01-31, not '${text}'.`);
  return new Date(at).toISOString();
}

function readPage({ limit, offset }: PolicyReportOptions): { limit: string; offset: string } {
  for (const [name, value] of Object.entries({ limit, offset }))
    if (!/^\d{1,5}$/.test(value)) throw usageError(`--${name} takes a number, not '${value}'.`);
  return { limit, offset };
}

function describeGroup({ kind, rule, token, count, operations, lastAt, example }: DeniedGroup): Line[] {
  const often = `${count}×`.padStart(6);
  const where = operations === 1 ? '1 operation' : `${operations} operations`;
  const last = showMinute(lastAt);
  const whole = example.subject === token ? '' : `${kind} ${harmlessLine(example.subject)}`;
  return [
    [bold(often), ` ${harmlessLine(token)}`, dim(`  rule ${harmlessLine(rule)}, ${where}, last ${last}`)],
    [dim(`       ${harmlessLine(example.reason)}`)],
    [dim(`       ${[whole, `in ${example.operationId}, part ${example.part}`].filter(Boolean).join(', ')}`)],
  ];
}
