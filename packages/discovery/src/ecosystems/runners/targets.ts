/** Targets, recipes and tasks that a repository defines itself, by their usual names. */
import { type Check, type Discovered, type FoundCommand, nothingDiscovered } from '../../discovered.ts';

const targetNames: Record<Check, string[]> = {
  typecheck: ['typecheck', 'type-check', 'types', 'mypy'],
  lint: ['lint', 'lint-check', 'check-lint'],
  format: ['fmt-check', 'format-check', 'check-format', 'check-fmt', 'fmt:check', 'format:check'],
  test: ['test', 'tests', 'unit-test', 'unittest', 'test-unit', 'check'],
  build: ['build'],
};

export interface Target {
  name: string;
  /** The command lines, as far as they are known. */
  lines: string[];
}

export interface Runner {
  /** `make`, and what follows is the target. */
  start: string;
  program: string;
  /** The file, and what it calls its targets. */
  describe(name: string): string;
}

/** Lines that never end, or that change files. */
const watching = /\b(?:watch|watchexec|nodemon|entr)\b|\s--watch\b/;

export function findTargets(targets: Target[], { start, program, describe }: Runner): Discovered {
  const found = nothingDiscovered();
  const byName = new Map(targets.map((target) => [target.name, target]));
  for (const [check, names] of Object.entries(targetNames) as [Check, string[]][]) {
    for (const name of names) {
      const target = byName.get(name);
      if (target === undefined) continue;
      const source = describe(name);
      if (target.lines.some((line) => watching.test(line))) {
        found.remarks.push(`not used for ${check}: ${source} watches files and never exits`);
        continue;
      }
      found.commands[check] = { command: `${start} ${name}`, source, probe: toProbe(program, target.lines) };
      break;
    }
  }
  return found;
}

const maxPrograms = 5;

/** The runner, and the programs that the lines start with. A later probe fails if one of them is missing. */
function toProbe(program: string, lines: string[]): FoundCommand['probe'] {
  const programs = lines.flatMap((line) => {
    const words = line.replace(/^[@+-]+/, '').trim();
    const [, name] = /^(?:[A-Z_][A-Z0-9_]*=[\w./:=,-]* )*([a-z][\w.-]*)(?= |$)/.exec(words) ?? [];
    // What comes after these may decide whether the program is used at all.
    return name === undefined || /\|\||^(?:if|for|while|case|test|until|set|cd|export)\b/.test(words)
      ? []
      : [name];
  });
  const unique = [...new Set([program, ...programs])].slice(0, maxPrograms);
  return unique.map((name) => `command -v ${name}`).join(' && ');
}
