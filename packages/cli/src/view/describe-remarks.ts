/** Shows the remarks that the description of a pull request lists for its reviewer. */
import { harmless } from './harmless.ts';
import { bold, type Line, yellow } from './line.ts';
import { wrapText } from './text-width.ts';

/** The worker writes this list before the request, so text of the request cannot forge it. */
export function describeRemarks(body: string, width: number): Line[] {
  const [ours = ''] = body.split('\n### Request\n');
  const [, list = ''] = ours.split(/^### To look at\n/m);
  const remarks = list.split('\n').filter((line) => line.startsWith('- '));
  if (remarks.length === 0) return [];
  const lines = remarks.flatMap((remark) =>
    wrapText(harmless(remark.slice(2)).replaceAll('`', ''), width - 4).map(
      (line, index): Line => [index === 0 ? yellow('  ! ') : '    ', line],
    ),
  );
  return [[], [bold('To look at')], ...lines];
}
