import { findProgram, workspacePath } from './places.mjs';
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
