import type { Platform } from '../test/support/platform.ts';

export const workerHeaders = { authorization: 'Bearer a-key-for-the-flow-tests' };

/** Claims an operation as a worker does. Returns the fencing number. */
export async function claim(platform: Platform, id: string): Promise<number> {
  const response = await fetch(`${platform.url}/internal/v1/operations/${id}/claim`, {
    method: 'POST',
    headers: { ...workerHeaders, 'content-type': 'application/json' },
    body: JSON.stringify({ worker: 'bench', key: 'bench' }),
  });
  return ((await response.json()) as { fence: number }).fence;
}
