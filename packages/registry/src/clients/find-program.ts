/** Finds a package manager in the sandbox. If it is missing, npx installs it through the install window. */
import type { Sandbox } from '@fettle/sandbox';
import type { PackageManager } from './find-client.ts';

const versionTimeoutMs = 30_000;

interface Program {
  name: string;
  /** Prints the version, and fails if the program is missing. `npm --version` is slow, and any version of npm will do. */
  versionCommand: string;
  fits: RegExp;
  /** The package for npx, and the version for a repository that requires none. */
  source?: { package: string; version: string };
}

const programs: Record<PackageManager, Program> = {
  npm: { name: 'npm', versionCommand: 'command -v npm', fits: /./ },
  pnpm: {
    name: 'pnpm',
    versionCommand: 'pnpm --version',
    fits: /^\d/m,
    source: { package: 'pnpm', version: '12.18.0' },
  },
  'yarn-classic': {
    name: 'yarn',
    versionCommand: 'yarn --version',
    fits: /^\d/m,
    source: { package: 'yarn', version: '1.22.22' },
  },
  // Yarn 1 has the same name. It starts Yarn 2 or later only if the project's .yarnrc names a file.
  yarn: {
    name: 'yarn',
    versionCommand: 'yarn --version',
    fits: /^([2-9]|\d\d)/m,
    source: { package: '@yarnpkg/cli-dist', version: '4.18.1' },
  },
  bun: { name: 'bun', versionCommand: 'bun --version', fits: /^\d/m },
};

export interface Wanted {
  manager: PackageManager;
  /** The version that the repository requires. */
  version: string | undefined;
  folder: string;
}

export type FoundProgram =
  | { ok: true; note?: string; start(argv: string[]): string[] }
  | { ok: false; reason: string };

export async function findProgram(
  sandbox: Sandbox,
  { manager, version, folder }: Wanted,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<FoundProgram> {
  const { name, versionCommand, fits, source } = programs[manager];
  const limits = { timeoutMs: Math.min(timeoutMs, versionTimeoutMs), signal };
  const seen = await sandbox.run({ command: versionCommand, cwd: folder, ...limits });
  if (seen.exitCode === 0 && fits.test(seen.output)) return { ok: true, start: (argv) => argv };
  const wanted = manager === 'yarn' ? 'Yarn 2 or later' : name;
  const advice =
    'the operator can install it on the machine of the worker, or set FETTLE_SANDBOX_IMAGES to an image that has it';
  if (source === undefined) return { ok: false, reason: `the sandbox has no ${wanted}: ${advice}` };
  const npx = await sandbox.run({ command: 'command -v npx', cwd: folder, ...limits });
  if (npx.exitCode !== 0) {
    return { ok: false, reason: `the sandbox has no ${wanted}, and no npx to fetch it: ${advice}` };
  }
  const spec = `${source.package}@${version ?? source.version}`;
  return {
    ok: true,
    note: `The sandbox has no ${wanted}, so npx runs ${spec}. If that fails, ${advice}.`,
    start: ([first = '', ...rest]) =>
      first === name ? ['npx', '--yes', `--package=${spec}`, '--', name, ...rest] : [first, ...rest],
  };
}
