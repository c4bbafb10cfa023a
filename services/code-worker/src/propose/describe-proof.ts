/** Describes the proof of a proposal and its evidence, for the text of the pull request. */
import type { Evidence, FaultEvidence } from '@fettle/contract';
import type { Proof } from '../prove/assess-proof.ts';
import type { Shortfall } from '../verify/verify.ts';
import { neutraliseReferences } from './neutralise-markdown.ts';

const proven = '✓ ';
const maxListed = 20;

/** The mark before the title. Only a proven change has one. */
export const markOf = (proof: Proof | undefined) => (proof?.status === 'proven' ? proven : '');
export const withoutMark = (title: string) => (title.startsWith(proven) ? title.slice(proven.length) : title);

export function describeProof(proof: Proof, shortfall: Shortfall | undefined): string {
  const { evidence, status } = proof;
  const { passed, redBefore, failed, couldNotRun, doubts, fault } = evidence;
  const sections = [
    fault && `### Evidence\n${describeFault(fault)}`,
    `### Proof: ${markOf(proof)}${status}`,
    shortfall && `**This is a draft.** ${shortfall.message} (${shortfall.reason}).`,
    list('Passed in a fresh sandbox:', passed.map(describeRan)),
    list('Failed, with failures that the base commit does not have:', failed.flatMap(describeFailed)),
    list('Red as before the change, with the same failures:', redBefore.flatMap(describeFailed)),
    list(
      'Could not run:',
      couldNotRun.map(
        ({ name, command, obstacle }) => `${name}: ${plain(obstacle.message)} (${code(command)})`,
      ),
    ),
    list('This proves less than it seems to:', doubts.map(plain)),
  ];
  return sections.filter(Boolean).join('\n\n');
}

function describeFault({
  status,
  message = '',
  failsBefore,
  passesBefore,
  cannotLoad,
}: FaultEvidence): string {
  if (status === 'off') return 'Turned off: no test was run against the base commit.';
  if (status === 'could_not_run') return `The fault could not be shown: ${plain(message)}`;
  const sections = [
    status === 'none' && '**No test shows the fault.**',
    status === 'weak' && cannotLoad.length === 0 && plain(message),
    list('**Fails before, passes after:**', failsBefore.map(describeTest)),
    list(
      'Cannot be loaded before the change (weaker evidence):',
      cannotLoad.map(({ file, message }) => `${code(file)}: ${plain(message)}`),
    ),
    list('Passes before and after:', passesBefore.map(describeTest)),
  ];
  return sections.filter(Boolean).join('\n\n');
}

const describeTest = ({ file, name }: { file?: string | undefined; name?: string | undefined }) =>
  [file, name].flatMap((text) => (text === undefined ? [] : [code(text)])).join(' ');

type Ran = Evidence['passed'][number];

function describeRan({ name, command, durationMs, tests }: Ran): string {
  const skipped = tests?.skipped ? `, ${tests.skipped} skipped` : '';
  const counts = tests
    ? `: ${tests.passed} passed${tests.failed > 0 ? `, ${tests.failed} failed` : ''}${skipped}`
    : '';
  return `${name} in ${(durationMs / 1000).toFixed(1)} s${counts} (${code(command)})`;
}

function describeFailed(check: Evidence['failed'][number]): string[] {
  const names = check.failures.map(({ file, name, rule, message }) =>
    describeTest({ file, name: name ?? rule ?? message }),
  );
  const rest = names.length > maxListed ? [`  - and ${names.length - maxListed} more`] : [];
  const hints = (check.hints ?? []).map((hint) => `  ${plain(hint)}`);
  return [
    [describeRan(check), ...hints, ...names.slice(0, maxListed).map((name) => `  - ${name}`), ...rest].join(
      '\n',
    ),
  ];
}

function list(title: string, items: string[]): string | undefined {
  if (items.length === 0) return undefined;
  const rest = items.length > maxListed ? [`- and ${items.length - maxListed} more`] : [];
  return [title, ...items.slice(0, maxListed).map((item) => `- ${item}`), ...rest].join('\n');
}

/** Names, paths and messages come from the repository: they must not break out of their code span or line. */
const flat = (text: string) => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 300);
const code = (text: string) => `\`${flat(text).replaceAll('`', "'")}\``;
const plain = (text: string) =>
  neutraliseReferences(flat(text)).replace(/[\\<>@#[\]!*_&]/g, (sign) => `\\${sign}`);
