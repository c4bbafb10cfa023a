/** Puts the parts of one line together: a command for each check that it contains. */
import type { Check } from '../../discovered.ts';
import { type Excuse, findExcuse, isFixing, type Part } from './expand-script.ts';

export interface Group {
  commands: Partial<Record<Check, string>>;
  /** Parts that cannot run in a sandbox. */
  excuses: (Excuse & { check: Check | undefined })[];
}

const aside: Check[] = ['typecheck', 'lint', 'format'];

/** In a line that runs tests, the tests keep what prepares them. The other checks report by themselves. */
export function toGroup(parts: Part[]): Group {
  const group: Group = { commands: {}, excuses: [] };
  const usable = parts.filter((part) => {
    const excuse = findExcuse(part);
    if (excuse) group.excuses.push({ ...excuse, check: part.check });
    return excuse === undefined && !isFixing(part);
  });
  const hasTests = usable.some(({ check }) => check === 'test');
  const isAside = ({ check }: Part) => check !== undefined && aside.includes(check);
  for (const check of aside)
    join(
      group,
      check,
      usable.filter((part) => part.check === check),
    );
  const rest = usable.filter((part) => !isAside(part));
  if (hasTests) join(group, 'test', rest);
  else
    join(
      group,
      'build',
      rest.filter(({ check }) => check === 'build'),
    );
  return group;
}

function join({ commands }: Group, check: Check, parts: Part[]): void {
  const unique = [...new Set(parts.map(({ command }) => command))];
  if (unique.length > 0) commands[check] = unique.join(' && ');
}
