/** Chooses the command of each check from the workflows and the scripts. */
import { type Check, checks, type FoundCommand } from '../../discovered.ts';
import type { WorkflowCommand } from '../../workflows/read-workflows.ts';
import { expandLine, expandScript, type Place } from './expand-script.ts';
import { type Group, toGroup } from './group-parts.ts';
import { usualNames } from './script-kinds.ts';

export interface Chosen {
  commands: Partial<Record<Check, FoundCommand>>;
  /** The checks that the workflows run only after the build. */
  afterBuild: Check[];
  remarks: string[];
}

interface Line extends Pick<WorkflowCommand, 'job' | 'source'> {
  group: Group;
}

const npmPlaceholder = 'no test specified';

/** `workflows` are the commands that run at the root of the manifest. */
export function chooseChecks(place: Place, workflows: WorkflowCommand[]): Chosen {
  const lines = workflows.map(({ line, job, source }) => ({
    ...{ job, source },
    group: toGroup(expandLine(line, place)),
  }));
  const usual = findUsual(place);
  const chosen: Chosen = { commands: {}, afterBuild: [], remarks: [...usual.remarks] };
  const { program } = place.client;
  for (const check of checks) {
    const found = chooseOne(check, lines, usual) ?? undefined;
    if (found === undefined) continue;
    const own = /^(?:node|bun|deno)(?= )/.exec(found.command)?.[0];
    chosen.commands[check] = { ...found, probe: `command -v ${own ?? program}` };
  }
  if (chosen.commands.build) chosen.afterBuild = findAfterBuild(lines, chosen.commands);
  for (const { group } of [...lines, { group: usual.test }])
    for (const { check, command, reason } of group.excuses)
      if (check && !chosen.remarks.some((remark) => remark.includes(`: ${command}: `)))
        chosen.remarks.push(`not used for ${check}: ${command}: ${reason}`);
  return chosen;
}

type Found = Omit<FoundCommand, 'probe'>;

interface Usual {
  found: Partial<Record<Check, Found>>;
  /** The parts of the script `test`. */
  test: Group;
  remarks: string[];
}

/** What the project runs itself is better than a name, unless it runs the script of that name, too. */
function chooseOne(check: Check, lines: Line[], { found, test }: Usual): Found | undefined {
  const candidates = lines.flatMap(({ group, source }) => {
    const command = group.commands[check];
    return command === undefined ? [] : [{ command, source }];
  });
  const known = found[check];
  if (known && candidates.some(({ command }) => command === known.command)) return known;
  const best = candidates.find(({ command }) => !/\bcov(?:er|erage)?\b/.test(command)) ?? candidates[0];
  // A workflow may build no more than what it measures or publishes.
  if (best && !(known && check === 'build')) return best;
  const part = test.commands[check];
  return known ?? (part === undefined ? undefined : { command: part, source: sourceOf('test') });
}

const sourceOf = (name: string) => `script "${name}" of package.json`;

function findUsual(place: Place): Usual {
  const usual: Usual = { found: {}, test: { commands: {}, excuses: [] }, remarks: [] };
  for (const check of checks) {
    for (const name of usualNames[check]) {
      const script = place.scripts.get(name);
      if (script === undefined || script.trim() === '' || script.includes(npmPlaceholder)) continue;
      const group = toGroup(expandScript(name, place));
      if (name === 'test') usual.test = group;
      const command = group.commands[check];
      if (command === undefined) {
        const [excuse] = group.excuses;
        if (excuse)
          usual.remarks.push(
            `not used for ${check}: script "${name}" of package.json: ${excuse.command}: ${excuse.reason}`,
          );
        continue;
      }
      usual.found[check] = { command, source: sourceOf(name) };
      break;
    }
  }
  return usual;
}

/** In each job that runs the check, the build comes first. */
function findAfterBuild(lines: Line[], commands: Chosen['commands']): Check[] {
  const jobs = Map.groupBy(lines, ({ job }) => job);
  return checks.filter((check) => {
    if (check === 'build' || commands[check] === undefined) return false;
    const orders = [...jobs.values()].flatMap((own) => {
      const at = own.findIndex(({ group }) => group.commands[check] !== undefined);
      const build = own.findIndex(({ group }) => group.commands.build !== undefined);
      return at === -1 ? [] : [build !== -1 && build < at];
    });
    return orders.length > 0 && orders.every(Boolean);
  });
}
