import type { Operation } from '@fettle/contract';
import type { Change } from './act.ts';

const maxTitle = 72;
const maxBody = 50_000;

/** The title and text of a pull request: the agent's words, then the evidence. */
export function describeProposal(
  operation: Operation,
  { summary, checks, shortfall }: Change,
): { title: string; body: string } {
  const sections = [
    shortfall && `**This is a draft.** ${shortfall.message} (${shortfall.reason}).`,
    summary || 'The agent left no summary.',
    `### Request\n${quote(operation.request.description)}`,
    `### Checks\n${checks.length > 0 ? checks.map(describeCheck).join('\n') : 'The repository names no checks: nothing was proven by running it.'}`,
    `Asked for by ${operation.requestedBy}. Operation \`${operation.id}\`, ${operation.kind}.`,
  ];
  return {
    title: titleOf(summary, operation),
    body: sections.filter(Boolean).join('\n\n').slice(0, maxBody),
  };
}

function titleOf(summary: string, { kind, request }: Operation): string {
  const line = summary
    .split('\n')
    .map((each) => each.replace(/^[#*\s]+|[*\s.]+$/g, ''))
    .find((each) => each !== '');
  const title = line ?? `${kind}: ${request.description.split('\n')[0]}`;
  return title.length <= maxTitle ? title : `${title.slice(0, maxTitle - 1)}…`;
}

function describeCheck({
  name,
  command,
  ok,
  exitCode,
  timedOut,
  durationMs,
}: Change['checks'][number]): string {
  const how = ok ? 'passed' : timedOut ? 'ran into its time limit' : `failed with exit code ${exitCode}`;
  return `- ${name}: ${how} in ${(durationMs / 1000).toFixed(1)} s (\`${command}\`)`;
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
