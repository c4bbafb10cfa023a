// The program of `host.ts`: one sandbox, one command, its output as it comes.
import { findBackend } from './backends.ts';

const [name, folder = '', command = ''] = process.argv.slice(2);
const sandbox = await findBackend(name).start({ folder });
await sandbox.run({
  command,
  onOutput: (chunk) => {
    process.stdout.write(chunk);
  },
});
await sandbox.close();
