import type { Operation, OperationList } from '@fettle/contract';
import { expect, test } from 'vitest';
import { resolveId } from './resolve-id.ts';

const ids = ['op_01kxv3c9m2t8w4r6yq', 'op_01kxv3c9m2aaaabbbb', 'op_01kxv0000000000000'];

/** Answers as the api does, newest first. */
const client = {
  async list({ id = '', limit }: Record<string, string>): Promise<OperationList> {
    const found = ids.filter(
      (each) => each.startsWith(id) || each.startsWith(`op_${id}`) || each.endsWith(id),
    );
    const operations = found.slice(0, Number(limit)).map((each) => ({ id: each }) as Operation);
    return { operations, nextCursor: null };
  },
};

test.each([
  ['latest', ids[0]],
  ['op_01kxv3c9m2t', ids[0]],
  ['01kxv3c9m2a', ids[1]],
  ['W4R6YQ', ids[0]],
  ['bbbb', ids[1]],
  // Sent as it is: the server says that it does not exist.
  ['op_01kxv3c9m2t8w4r6zz', 'op_01kxv3c9m2t8w4r6zz'],
])('%s is %s', async (given, id) => {
  expect(await resolveId(client, given)).toBe(id);
});

test.each([
  ['op_01kxv3', 2, `'op_01kxv3' is not unique: ${ids[0]}, ${ids[1]}`],
  ['zzzz', 1, 'there is no operation zzzz'],
  ['..', 2, "'..' is not an operation id."],
  ['', 2, "'' is not an operation id."],
])('%j is rejected', async (given, exitCode, message) => {
  await expect(resolveId(client, given)).rejects.toMatchObject({ exitCode, message });
});

test('without operations there is no latest one', async () => {
  const empty = { list: async () => ({ operations: [], nextCursor: null }) };
  await expect(resolveId(empty, 'latest')).rejects.toMatchObject({ message: 'there are no operations yet' });
});
