/** The comment that shows the state of an operation, where it was requested. */
import { isSettled, type Operation, showUsd } from '@fettle/contract';
import { markerFor } from '../requests/own-comments.ts';
import { showAgentText } from './agent-text.ts';

export const progressKey = (operationId: string) => `status:${operationId}`;

export function describeProgress(operation: Operation): string {
  const { id, kind, state, revision, totals } = operation;
  const facts = [
    `\`${id}\``,
    kind,
    state.replaceAll('_', ' '),
    ...(revision > 1 ? [`revision ${revision}`] : []),
    `${showUsd(totals.usd)} so far`,
  ];
  const sections = [
    describeState(operation),
    `<sub>${facts.join(' · ').replace(' so far', isSettled(state) ? '' : ' so far')}</sub>`,
  ];
  return `${markerFor(progressKey(id))}\n${sections.join('\n\n')}`;
}

function describeState({ state, outcome, waitsFor }: Operation): string {
  if (!isSettled(state)) {
    if (waitsFor !== null) return `Fettle waits for ${waitsFor}.`;
    const link = outcome?.kind === 'proposal' ? ` on #${outcome.pullRequest.number}` : '';
    return `Fettle is working${link}. Write here to send it a message, or \`/fettle stop\` to stop it.`;
  }
  if (state === 'cancelled') return 'Fettle was stopped. `/fettle retry` starts again.';
  if (outcome === null) return `The operation is ${state}.`;
  switch (outcome.kind) {
    case 'answer':
      return showAgentText(outcome.answer);
    case 'unchanged':
      return `Nothing was changed. ${showAgentText(outcome.message)}`;
    case 'failure':
      return `This did not work: ${showAgentText(outcome.message)}\n\n\`/fettle retry\` starts again.`;
    case 'proposal': {
      const { pullRequest, draft, message } = outcome;
      const what = `${draft ? 'Draft pull request' : 'Pull request'} #${pullRequest.number}: ${showAgentText(pullRequest.title)}`;
      const ended =
        state === 'merged' || state === 'rejected' ? ` (${state === 'merged' ? 'merged' : 'closed'})` : '';
      return `${what}${ended}${draft && message !== undefined ? `\n\n${showAgentText(message)}` : ''}`;
    }
  }
}
