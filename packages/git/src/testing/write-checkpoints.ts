/** Writes checkpoints until it is killed, and prints each acknowledged one. */
import { openCheckpoints } from '../write/checkpoints.ts';

const [mirror = '', ref = '', base = ''] = process.argv.slice(2);
const identity = { name: 'Some One', email: 'someone@example.com' };
const checkpoints = await openCheckpoints({ mirror, ref, base, identity });
for (let number = 1; ; number += 1) {
  const bytes = Buffer.from(`${number}\n`);
  const changes = [{ kind: 'file' as const, path: 'counter', executable: false, bytes }];
  const commit = await checkpoints.write({ changes, message: `checkpoint ${number}\n`, dateSeconds: number });
  process.stdout.write(`${commit}\n`);
}
