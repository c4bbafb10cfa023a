/** Creates an operation from a request on GitHub. */
import { type Kind, type Operation, type QuotedThread, requestSchema } from '@fettle/contract';
import { createOperation } from '../../operations/create-operation.ts';
import { type EventContext, repositoryIdOf } from '../context.ts';

export interface WorkRequest {
  repository: string;
  kind: Kind;
  description: string;
  login: string;
  /** The web page of the comment or label. The same one creates one operation. */
  origin: string;
  number: number;
  reviewId?: number | undefined;
  baseBranch?: string | undefined;
  thread: QuotedThread;
}

const maxDescription = 20_000;

export async function requestWork(context: EventContext, input: WorkRequest): Promise<Operation> {
  const { dependencies, github, organizationId } = context;
  const { repository, kind, login, origin, number, reviewId, baseBranch, thread } = input;
  const user = await dependencies.database.people.ensureLogin({ organizationId, login });
  const { operation } = await createOperation(dependencies, {
    caller: { organizationId, user },
    idempotencyKey: undefined,
    request: requestSchema.parse({
      kind,
      description: input.description.slice(0, maxDescription),
      repository: `${github.url}/${repository}`,
      origin,
      ...(baseBranch !== undefined && { baseBranch }),
      ...(thread.length > 0 && { thread }),
    }),
  });
  const repositoryId = await repositoryIdOf(context, repository);
  // The comment that shows the state follows from this row.
  await dependencies.database.threads.open({ operationId: operation.id, repositoryId, number, reviewId });
  return operation;
}
