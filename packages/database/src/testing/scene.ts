/** What most tests need: an organization, a user, a repository and a request. */
import { randomUUID } from 'node:crypto';
import { type Event, type EventBody, type Request, requestSchema } from '@fettle/contract';
import type { Database } from '../database.ts';
import type { NewOperation } from '../operations/create-operation.ts';

export const admin = { adminTokenHash: 'a'.repeat(64), adminName: 'Ada', adminEmail: 'ada@example.com' };

export const request: Request = requestSchema.parse({
  kind: 'fix',
  description: 'the login page crashes on an empty e-mail',
  repository: '/srv/shop',
});

/** Appends events to the record of an operation. */
export async function record(database: Database, id: string, ...bodies: EventBody[]): Promise<Event[]> {
  const last = await database.events.lastPosition(id);
  const at = new Date().toISOString();
  const events = bodies.map(
    (body, index): Event => ({ operationId: id, position: last + index + 1, at, ...body }),
  );
  await database.events.append(id, events);
  return events;
}

export async function setScene(database: Database) {
  const { organizationId, userId } = await database.people.ensureInstallation(admin);
  const url = `/srv/${randomUUID()}`;
  const repository = await database.repositories.ensure({
    organizationId,
    forge: 'local',
    url,
    name: 'shop',
  });
  const create = (input: Partial<NewOperation> = {}) =>
    database.operations.create({
      organizationId,
      repositoryId: repository.id,
      requestedBy: userId,
      request,
      requestHash: 'hash',
      ...input,
    });
  return { organizationId, userId, repository, create };
}

export async function createOperation(database: Database) {
  const { create, organizationId, repository } = await setScene(database);
  return { id: (await create()).operation.id, organizationId, repository };
}

export const claim = (database: Database, id: string) =>
  database.operations.claim({ id, key: randomUUID(), worker: 'w1', leaseSeconds: 30 });

/** Claims an operation and moves it to `acting`. Returns its fencing number. */
export async function startActing(database: Database, id: string): Promise<number> {
  const { fence } = await claim(database, id);
  await database.operations.transition({ id, fence, from: 'preparing', to: 'acting' });
  return fence;
}

/** Claims an operation and moves it to `proposing`. Returns its fencing number. */
export async function startProposing(database: Database, id: string): Promise<number> {
  const fence = await startActing(database, id);
  await database.operations.transition({ id, fence, from: 'acting', to: 'verifying' });
  await database.operations.transition({ id, fence, from: 'verifying', to: 'proposing' });
  return fence;
}
