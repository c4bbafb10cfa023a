import type { RunResult, Sandbox } from '@fettle/sandbox';
import { explainNoRegistry } from './answer.ts';
import { LockfilesRefused } from './clients/change-lockfiles.ts';
import { type InstallRequest, installCommand, rebuildCommand } from './clients/commands.ts';
import { scriptsOn } from './clients/environment.ts';
import { findPackageManager, pathIn, type UsedManager } from './clients/find-client.ts';
import { type FoundProgram, findProgram } from './clients/find-program.ts';
import { isIntegrityFailure, offerRegistries, withInstallWindow } from './install-window.ts';
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

/** Installs from the lockfile, or adds packages, with the package manager of the folder. */
export async function installDependencies(
  place: InstallPlace,
  { folder, ...request }: InstallRequest & { folder: string },
): Promise<Installed> {
  const { sandbox, registry } = place;
  if (!registry.names.includes('npm')) {
    return { ok: false, reason: explainNoRegistry(registry.names, 'npm') };
  }
  const found = await findPackageManager(sandbox, folder);
  if (!found.ok) return found;
  // First, because pnpm would download another version of itself, even for `pnpm --version`.
  await offerRegistries(sandbox, registry);
  const program = await findProgram(sandbox, { ...found, folder }, place.limits);
  if (!program.ok) return program;
  return installWith(place, { ...found, ...program }, { folder, ...request }).catch((error: unknown) => {
    if (error instanceof LockfilesRefused) return { ok: false, reason: error.message };
    throw error;
  });
}

async function installWith(
  place: InstallPlace,
  found: UsedManager & Extract<FoundProgram, { ok: true }>,
  { folder, ...request }: InstallRequest & { folder: string },
): Promise<Installed> {
  const { manager } = found;
  const { value: runs, traffic } = await withInstallWindow(
    place.sandbox,
    place.registry,
    async ({ environmentIn, distrust }) => {
      const environment = await environmentIn(folder);
      const argv = found.start(installCommand(manager, { ...request, ...found }));
      const env =
        manager === 'yarn' ? { ...environment, YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' } : environment;
      const installed = await run(place, { argv, folder, env });
      if (isIntegrityFailure(installed.result)) await distrust();
      const built =
        installed.result.exitCode === 0
          ? await runAllowedScripts(place, { ...found, folder, environment })
          : undefined;
      return built === undefined ? [installed] : [installed, built];
    },
  );
  const notes = [describeTraffic(traffic), ...(found.note === undefined ? [] : [found.note])];
  return { ok: true, runs, note: notes.join('\n') };
}

export interface ScriptsPlace extends Pick<UsedManager, 'manager' | 'version'> {
  folder: string;
  environment: Record<string, string>;
}

/** Returns undefined if no script is allowed or no package is installed. */
export async function runAllowedScripts(
  place: InstallPlace,
  { manager, version, folder, environment }: ScriptsPlace,
): Promise<InstallRun | undefined> {
  const { sandbox, scripts, limits } = place;
  if (scripts.length === 0) return undefined;
  const modules = await sandbox.statFile(pathIn(folder, 'node_modules')).catch(() => undefined);
  if (modules?.kind !== 'directory') return undefined;
  const argv = rebuildCommand(manager, scripts);
  const used = argv[0] === 'npm' ? 'npm' : manager;
  const program = await findProgram(sandbox, { manager: used, version, folder }, limits);
  return run(place, {
    argv: program.ok ? program.start(argv) : argv,
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
