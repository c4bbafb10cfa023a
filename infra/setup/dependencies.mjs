import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from './child.mjs';
import { binFolder, findProgram, machinePath, root } from './places.mjs';
import { SetupFailure } from './progress.mjs';
import { hashFiles, hasStamp, listFolder, stamped } from './stamp.mjs';

const workspaceNode = join(binFolder, 'node');

export const dependencies = {
  title: () => `installing dependencies (pnpm ${pnpmVersion()}, frozen lockfile)`,
  isNeeded: () => !hasStamp('dependencies', wantedHash()) || !existsSync(workspaceNode),
  run: () => stamped('dependencies', wantedHash(), install),
};

function wantedHash() {
  const members = ['packages', 'services'].flatMap((folder) => listFolder(join(root, folder)));
  const manifests = [root, ...members].map((folder) => join(folder, 'package.json')).filter(existsSync);
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((name) => join(root, name));
  return hashFiles([...files, ...manifests], process.platform, process.arch);
}

function pnpmVersion() {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return manifest.packageManager.replace('pnpm@', '');
}

async function install() {
  const npx = findProgram('npx', machinePath);
  if (!npx) {
    throw new SetupFailure('npx was not found next to Node.', {
      advice: "Install npm (it comes with Node from nodejs.org; on Debian: 'apt-get install npm').",
    });
  }
  // Replaces a node_modules of another layout without asking: set-up is not interactive.
  const options = ['--frozen-lockfile', '--reporter=append-only', '--config.confirm-modules-purge=false'];
  await runQuietly(npx, ['--yes', `pnpm@${pnpmVersion()}`, 'install', ...options], {
    cwd: root,
    env: { ...process.env, PATH: machinePath },
    failure: 'Installing the dependencies failed.',
    advice:
      "Check that the package registry is reachable ('npm ping') and that the home folder is writable. If the lockfile is out of date, run 'npx pnpm install' and commit it.",
  });
  if (!existsSync(workspaceNode)) {
    throw new SetupFailure('The installation did not include Node 24.', {
      advice:
        "Optional dependencies must be enabled: look for 'optional=false' or 'omit' in your npm settings.",
    });
  }
}
