import type { RunResult, Sandbox } from '@fettle/sandbox';
import { type InstallRequest, installCommand, rebuildCommand } from './clients/commands.ts';
import { scriptsOn } from './clients/environment.ts';
import { findPackageManager, type PackageManager, pathIn } from './clients/find-client.ts';
import { tellsOfWrongBytes, withInstallWindow } from './install-window.ts';
import type { Registry } from './registry.ts';
import { describeTraffic } from './traffic.ts';

export interface InstallPlace {
  sandbox: Sandbox;
  registry: Registry;
  /** Packages whose install scripts the operator and the repository allow. */
  scripts: string[];
  limits: { timeoutMs: number; maxOutputBytes: number; signal: AbortSignal };
}

export interface InstallRun {
  command: string;
  result: RunResult;
}

export type Installed = { ok: true; runs: InstallRun[]; note: string } | { ok: false; reason: string };

/** Installs by the lockfile, or adds packages, with whatever package manager the folder uses. */
export async function installDependencies(
  place: InstallPlace,
  { folder, ...request }: InstallRequest & { folder: string },
): Promise<Installed> {
  const { sandbox, registry } = place;
  if (!registry.names.includes('npm')) {
    return { ok: false, reason: 'the operator allows no npm registry' };
  }
  const found = await findPackageManager(sandbox, folder);
  if (!found.ok) return found;
  const { manager } = found;
  const { value: runs, traffic } = await withInstallWindow(
    sandbox,
    registry,
    async ({ environment, distrust }) => {
      const argv = installCommand(manager, { ...request, ...found });
      const env =
        manager === 'yarn' ? { ...environment, YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' } : environment;
      const installed = await run(place, { argv, folder, env });
      if (tellsOfWrongBytes(installed.result)) await distrust();
      const built =
        installed.result.exitCode === 0
          ? await runAllowedScripts(place, { manager, folder, environment })
          : undefined;
      return built === undefined ? [installed] : [installed, built];
    },
  );
  return { ok: true, runs, note: describeTraffic(traffic) };
}

export interface ScriptsPlace {
  manager: PackageManager;
  folder: string;
  environment: Record<string, string>;
}

/** Nothing to run where none is allowed or nothing is installed. */
export async function runAllowedScripts(
  place: InstallPlace,
  { manager, folder, environment }: ScriptsPlace,
): Promise<InstallRun | undefined> {
  const { sandbox, scripts } = place;
  if (scripts.length === 0) return undefined;
  const modules = await sandbox.statFile(pathIn(folder, 'node_modules')).catch(() => undefined);
  if (modules?.kind !== 'directory') return undefined;
  return run(place, {
    argv: rebuildCommand(manager, scripts),
    folder,
    env: { ...environment, ...scriptsOn },
  });
}

async function run(
  { sandbox, limits }: InstallPlace,
  { argv, folder, env }: { argv: string[]; folder: string; env: Record<string, string> },
): Promise<InstallRun> {
  const result = await sandbox.run({ argv, cwd: folder, env, ...limits });
  return { command: argv.join(' '), result };
}
