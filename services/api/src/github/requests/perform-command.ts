/** Performs the command of a person who may make requests. */
import { type Kind, messageStates, type Operation, type State } from '@fettle/contract';
import { cancelWork } from '../../operations/stop-work.ts';
import { type EventContext, type GithubClient, placeOf, repositoryIdOf } from '../context.ts';
import type { EffectResult } from '../deliveries/run-deliveries.ts';
import { type Pull, pullSchema } from '../events/payloads.ts';
import { steer } from '../steering/steer.ts';
import { type QuotedText, quoteThread } from './quote-thread.ts';
import type { Command } from './read-command.ts';
import { requestWork } from './request-work.ts';
import { answer, react, type Spoken } from './spoken.ts';

export interface Performance {
  client: GithubClient;
  spoken: Spoken;
  command: Command;
  /** The texts that belong to the request, before the comments of the issue. */
  quoted: QuotedText[];
}

const running: readonly State[] = [...messageStates, 'proposing'];

export async function performCommand(context: EventContext, performance: Performance): Promise<EffectResult> {
  const { spoken, command } = performance;
  const place = { repositoryId: await repositoryIdOf(context, spoken.repository), number: spoken.number };
  const { threads } = context.dependencies.database;
  if (command.kind === 'stop')
    return stop(context, spoken, await threads.findOperation({ ...place, inStates: running }));
  if (command.kind === 'retry') return retry(context, spoken, await threads.findOperation(place));
  if (command.kind === 'ask') return request(context, performance, 'ask');
  const proposer = spoken.isPull ? await threads.findProposer(place) : undefined;
  const addressed =
    proposer ??
    (command.kind === 'mention' ? await threads.findOperation({ ...place, inStates: running }) : undefined);
  if (addressed && isSteerable(addressed)) {
    await react(context, spoken, 'eyes');
    return steer(context, { operation: addressed, spoken, text: textOf(command), isAddressed: true });
  }
  return request(context, performance, command.kind === 'mention' ? 'ask' : command.kind);
}

const textOf = (command: Command) => ('text' in command ? command.text : '');

const isSteerable = ({ state }: Operation) => [...running, 'awaiting_approval'].includes(state);

async function stop(
  context: EventContext,
  spoken: Spoken,
  operation: Operation | undefined,
): Promise<EffectResult> {
  if (!operation) {
    await answer(context, spoken, 'Nothing is running here that could be stopped.');
    return { ignored: 'nothing is running' };
  }
  const { dependencies, organizationId } = context;
  await cancelWork(dependencies, { id: operation.id, organizationId, by: spoken.login });
  await react(context, spoken, '+1');
  return { did: `stopped ${operation.id}` };
}

async function retry(
  context: EventContext,
  spoken: Spoken,
  earlier: Operation | undefined,
): Promise<EffectResult> {
  if (!earlier || running.includes(earlier.state)) {
    const text = earlier ? `Operation ${earlier.id} is still running.` : 'There is nothing to retry here.';
    await answer(context, spoken, text);
    return { ignored: text };
  }
  const { kind, description, baseBranch, thread = [] } = earlier.request;
  await react(context, spoken, 'eyes');
  const operation = await requestWork(context, {
    ...spoken,
    ...{ kind, description, baseBranch, thread, origin: spoken.url },
  });
  return { did: `requested ${operation.id}, a retry of ${earlier.id}` };
}

async function request(
  context: EventContext,
  { client, spoken, command, quoted }: Performance,
  kind: Kind,
): Promise<EffectResult> {
  const { repository, number, isPull } = spoken;
  const pull = isPull ? await readPull(client, repository, number) : undefined;
  if (pull && pull.head.repo?.full_name !== pull.base.repo.full_name) {
    const text =
      'This pull request comes from a fork. Fettle cannot push there, so it works only on branches of this repository.';
    await answer(context, spoken, text);
    return { ignored: 'the pull request comes from a fork' };
  }
  await react(context, spoken, 'eyes');
  const thread = await quoteThread(context, {
    ...{ client, repository, number, except: spoken.commentId },
    first: quoted,
  });
  const operation = await requestWork(context, {
    ...spoken,
    ...{ kind, thread, origin: spoken.url, baseBranch: pull?.state === 'open' ? pull.head.ref : undefined },
    description: describe(textOf(command), { isPull, number }),
  });
  return { did: `requested ${operation.id}` };
}

export function describe(text: string, { isPull, number }: Pick<Spoken, 'isPull' | 'number'>): string {
  const place = `${isPull ? 'pull request' : 'issue'} #${number}`;
  const where = `This was requested in ${place}, which is quoted below.`;
  return text === '' ? `Do what ${place} is about. It is quoted below.` : `${text}\n\n${where}`;
}

export async function readPull(client: GithubClient, repository: string, number: number): Promise<Pull> {
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
  return pullSchema.parse(
    (await client.request(route, { ...placeOf(repository), pull_number: number })).data,
  );
}
