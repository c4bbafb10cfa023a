import { harmless } from '../../view/harmless.ts';
import { copyable, dim, green, type Line, type Piece, red, yellow } from '../../view/line.ts';
import { showDuration } from '../../view/quantities.ts';
import type { CheckReport } from './check-repository-command.ts';

type Status = CheckReport['setup']['status'];

const marks: Record<Status, (text: string) => Piece> = {
  passed: (text) => green(`✓ ${text}`),
  failed: (text) => red(`✗ ${text}`),
  could_not_run: (text) => yellow(`? ${text}`),
  none: (text) => dim(`- ${text}`),
};

const meanings: Record<Status, string> = {
  passed: 'passed',
  failed: 'already red',
  could_not_run: 'could not run',
  none: 'not needed',
};

export function describeCheck(report: CheckReport): Line[] {
  const { setup, checks, toolchain, problems, remarks, config } = report;
  return [
    ...toolchain.map(
      ({ tool, version, source }): Line => [`  ${tool} ${version}`, dim(`  ${harmless(source)}`)],
    ),
    ...describeRun('setup', { ...setup, command: setup.command ?? '' }, 'failed'),
    ...checks.flatMap((check) => describeRun(check.name, check)),
    ...(checks.length === 0 ? [[yellow('No checks were found, so no change can be proven.')]] : []),
    ...[...problems, ...remarks].map((text): Line => [copyable(`  note: ${harmless(text)}`)]),
    ...(config === undefined ? [] : describeConfig(config)),
  ];
}

interface Run {
  status: Status;
  command: string;
  durationMs: number;
  reason?: string;
  tests?: { passed: number; failed: number; skipped: number };
}

function describeRun(
  name: string,
  { status, command, durationMs, reason, tests }: Run,
  failed = meanings.failed,
): Line[] {
  const duration = status === 'none' ? '' : `  ${showDuration(durationMs)}`;
  const counts = tests ? `  ${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped` : '';
  const meaning = status === 'failed' ? failed : meanings[status];
  const head: Line = [marks[status](`${name}: ${meaning}`), `${duration}${counts}`];
  return [
    head,
    ...(command === '' ? [] : [[dim(`    ${harmless(command)}`)]]),
    ...(reason === undefined ? [] : [[copyable(`    ${harmless(reason)}`)]]),
  ];
}

function describeConfig(text: string): Line[] {
  const lines = text.trimEnd().split('\n');
  return [
    [],
    ['To keep these commands, or to change them, commit this as .fettle/config.yml (fettle init writes it):'],
    ...lines.map((line): Line => [copyable(`  ${harmless(line)}`)]),
  ];
}
