import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram, isWritable, root, stampFolder, workspacePath } from './places.mjs';
import { SetupFailure } from './progress.mjs';

/** The platforms with a Node 24 package (optionalDependencies in package.json). */
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

export function checkMachine() {
  const platform = `${process.platform}-${process.arch}`;
  if (!platforms.includes(platform)) {
    throw new SetupFailure(`Fettle does not run on ${platform}.`, {
      advice: `Use one of ${platforms.join(', ')}; on Windows, use WSL 2.`,
    });
  }
  if (Number.parseInt(process.versions.node, 10) < 20) {
    throw new SetupFailure(`Node ${process.versions.node} is too old to set up Fettle.`, {
      advice: 'Install Node 20 or newer. Fettle installs its own Node 24 for everything else.',
    });
  }
  if (!findProgram('git', workspacePath)) {
    throw new SetupFailure('git was not found on the PATH.', {
      advice: "Install it with your package manager, for example 'apt-get install git'.",
    });
  }
}

/** Everything that the set-up of a clone writes to, with the folders that a set-up as another user would own. */
const written = [
  join(root, 'node_modules'),
  stampFolder,
  join(root, 'packages', 'database', 'src', 'generated'),
  join(root, 'packages', 'database', 'node_modules'),
];

/** Another user may have set up this clone, for example with sudo, and its lockfile has changed since. */
export function assertWritable() {
  const foreign = written.find((folder) => !isWritable(folder));
  if (foreign === undefined) return;
  let existing = foreign;
  while (!existsSync(existing)) existing = dirname(existing);
  throw new SetupFailure(
    `This clone is not set up, and you cannot write to ${existing} (owner: ${ownerOf(existing)}).`,
    {
      advice: `Run 'npm run setup' as that user, make the clone yours ('sudo chown -R "$(id -u)" ${root}'), or use a clone of your own.`,
    },
  );
}

function ownerOf(path) {
  const { uid } = statSync(path);
  const users = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : '';
  const name = users
    .split('\n')
    .find((line) => line.split(':')[2] === String(uid))
    ?.split(':')[0];
  return name ?? `user ${uid}`;
}
