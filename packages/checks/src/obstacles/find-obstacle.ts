/** Finds what the machine lacks in the output of a check that did not pass. */
import type { CheckReport, Obstacle } from '@fettle/contract';
import { registryOf, unreachable } from './downloads.ts';
import { incompletePrograms, missingPackages, missingPrograms } from './missing-programs.ts';
import { versionProblems } from './versions.ts';

const maxLines = 200;
const maxLine = 1_000;

/**
 * Undefined if a test ran, or if a failure has another cause: what the check found must not be hidden. A failure is
 * explained if its message names what the machine lacks, such as a test file whose import is not installed.
 */
export function findEnvironmentProblem(lines: string[], report?: CheckReport): Obstacle | undefined {
  if (report && (report.passed ?? 0) > 0) return undefined;
  if (!report || report.failed === 0)
    return findIn([...lines.slice(0, maxLines), ...lines.slice(maxLines).slice(-maxLines)]);
  const { failed, failures } = report;
  if (failures.length < Math.min(failed, maxFailures)) return undefined;
  const causes = failures.map(({ message }) => findIn(message.split('\n')));
  return causes.every((cause) => cause !== undefined) ? causes[0] : undefined;
}

/** A report keeps no more failures. */
const maxFailures = 100;

const finders: ((line: string) => Obstacle | undefined)[] = [
  (line) => {
    const program = firstGroup(missingPrograms, line);
    return program === undefined
      ? undefined
      : { code: 'missing_program', message: `\`${clean(program)}\` is not installed.` };
  },
  (line) => {
    const found = incompletePrograms.find(({ pattern }) => pattern.test(line));
    return found && { code: 'missing_program', message: found.message };
  },
  (line) => {
    for (const { pattern, message } of versionProblems) {
      const found = pattern.exec(line);
      if (found === null) continue;
      const filled = message.replaceAll(/\$(\d)/g, (_, at: string) => clean(found[Number(at)] ?? ''));
      return { code: 'wrong_version', message: filled };
    }
    return undefined;
  },
  (line) => {
    for (const { pattern, host } of unreachable) {
      const found = pattern.exec(line);
      if (found === null) continue;
      const name = host ?? clean(found[1] ?? '');
      return { code: 'not_downloaded', message: describeDownload(registryOf[name] ?? name) };
    }
    return undefined;
  },
  (line) => {
    for (const { pattern, registry } of missingPackages) {
      const name = pattern.exec(line)?.[1];
      if (name === undefined) continue;
      return {
        code: 'missing_package',
        message: `The package \`${clean(name)}\` of ${registry} is not installed.`,
      };
    }
    return undefined;
  },
];

/** The kinds of problems in the order of the list: a package is missing because a registry cannot be reached. */
function findIn(lines: string[]): Obstacle | undefined {
  for (const find of finders)
    for (const line of lines) {
      const found = find(line.slice(0, maxLine));
      if (found) return found;
    }
  return undefined;
}

const describeDownload = (name: string) =>
  `It needs packages from ${name}, which is not reachable: install them during set-up, or keep them in the repository.`;

export function findProgram(lines: string[]): string | undefined {
  for (const line of lines.slice(-maxLines)) {
    const program = firstGroup(missingPrograms, line.slice(0, maxLine));
    if (program !== undefined) return clean(program);
  }
  return undefined;
}

function firstGroup(patterns: RegExp[], line: string): string | undefined {
  for (const pattern of patterns) {
    const group = pattern.exec(line)?.[1];
    if (group !== undefined) return group;
  }
  return undefined;
}

const clean = (text: string) => text.replace(/[`\p{C}]/gu, '').slice(0, 100);
