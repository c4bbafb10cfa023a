/** What an operation had changed after one of its parts, from the stored checkpoints. The api has no repository. */
import { FettleError, partDiffSchema, partFileSchema, partTreeSchema } from '@fettle/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Caller } from '../auth/authentication.ts';
import { createDiffer, listChanged, readFile } from '../checkpoints/compare-contents.ts';
import { type Changes, readChanges } from '../checkpoints/read-changes.ts';
import type { Dependencies } from '../dependencies.ts';
import { findOperation } from '../operations/find-operation.ts';
import { idParams } from './params.ts';

const params = idParams.extend({ number: z.coerce.number().int().min(1).max(1_000_000_000) });
const diffQuery = z.object({ from: z.enum(['base', 'previous']).default('base') });
const fileQuery = z.object({ path: z.string().min(1).max(4_096) });

interface AtPart {
  /** What the answers have in common. */
  place: { part: number; checkpoint: string | null; complete: boolean };
  changes: Changes;
  /** Before this part. */
  readPrevious(): Promise<Changes>;
}

export function partChangeRoutes({ database, checkpoints, redaction }: Dependencies): FastifyPluginAsyncZod {
  async function readAt(caller: Caller, id: string, number: number): Promise<AtPart> {
    await findOperation(database, caller, id);
    const [parts, ready] = await Promise.all([
      database.events.listParts(id),
      database.events.listOfType(id, 'workspace.ready'),
    ]);
    const last = parts.at(-1)?.number ?? 0;
    if (number > last) throw new FettleError('not_found', `operation ${id} has ${last} parts`, 'number');
    const [first] = ready;
    const baseCommit = first?.type === 'workspace.ready' ? first.baseCommit : undefined;
    const checkpointBefore = (end: number) =>
      parts.findLast((part) => part.number < end && part.checkpoint !== null)?.checkpoint ?? undefined;
    const read = (checkpoint: string | undefined) =>
      readChanges(checkpoints, { operationId: id, checkpoint, baseCommit });
    const checkpoint = checkpointBefore(number + 1);
    const changes = await read(checkpoint);
    const place = { part: number, checkpoint: checkpoint ?? null, complete: changes.isComplete };
    return { place, changes, readPrevious: () => read(checkpointBefore(number)) };
  }

  return async (app) => {
    app.get(
      '/v1/operations/:id/parts/:number/tree',
      {
        schema: {
          summary: 'List the files that differ from the base after a part',
          params,
          response: { 200: partTreeSchema },
        },
      },
      async ({ caller, params: { id, number } }) => {
        const { place, changes } = await readAt(caller, id, number);
        return { ...place, files: listChanged(changes).map(({ entry }) => entry) };
      },
    );

    app.get(
      '/v1/operations/:id/parts/:number/diff',
      {
        schema: {
          summary: 'Get the diff after a part, from the base or from the state before the part',
          params,
          querystring: diffQuery,
          response: { 200: partDiffSchema },
        },
      },
      async ({ caller, params: { id, number }, query: { from } }) => {
        const { place, changes, readPrevious } = await readAt(caller, id, number);
        const earlier = from === 'previous' ? await readPrevious() : undefined;
        return { ...place, from, files: listChanged(changes, earlier).map(createDiffer(redaction.text)) };
      },
    );

    app.get(
      '/v1/operations/:id/parts/:number/files',
      {
        schema: {
          summary: 'Get a file that differs from the base after a part',
          params,
          querystring: fileQuery,
          response: { 200: partFileSchema },
        },
      },
      async ({ caller, params: { id, number }, query: { path } }) => {
        const { place, changes } = await readAt(caller, id, number);
        const found = listChanged(changes).find(({ entry }) => entry.path === path);
        if (found) return { ...place, ...readFile(found, redaction.text) };
        throw new FettleError(
          'not_found',
          `after part ${number}, ${path} does not differ from the base`,
          'path',
        );
      },
    );
  };
}
