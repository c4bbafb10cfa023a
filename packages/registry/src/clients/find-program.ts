// A package manager that the sandbox does not have is a package like any other: npx fetches it through the window.
import type { Sandbox } from '@fettle/sandbox';
import type { PackageManager } from './find-client.ts';

const LOOK_MS = 30_000;

interface Program {
  name: string;
  /** Says which version it is, and fails where there is none; npm takes long to say it and needs no other. */
  look: string;
  fits: RegExp;
  /** Where npx finds it, and the version for a repository that names none. */
  source?: { package: string; version: string };
}

const programs: Record<PackageManager, Program> = {
  npm: { name: 'npm', look: 'command -v npm', fits: /./ },
  pnpm: {
    name: 'pnpm',
    look: 'pnpm --version',
    fits: /^\d/m,
    source: { package: 'pnpm', version: '12.18.0' },
  },
  'yarn-classic': {
    name: 'yarn',
    look: 'yarn --version',
    fits: /^\d/m,
    source: { package: 'yarn', version: '1.22.22' },
  },
  // Yarn 1 has the same name, and hands over only where the project says to which file.
  yarn: {
    name: 'yarn',
    look: 'yarn --version',
    fits: /^([2-9]|\d\d)/m,
    source: { package: '@yarnpkg/cli-dist', version: '4.18.1' },
  },
};

export interface Wanted {
  manager: PackageManager;
  /** What the repository names. */
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
  const { name, look, fits, source } = programs[manager];
  const limits = { timeoutMs: Math.min(timeoutMs, LOOK_MS), signal };
  const seen = await sandbox.run({ command: look, cwd: folder, ...limits });
  if (seen.exitCode === 0 && fits.test(seen.output)) return { ok: true, start: (argv) => argv };
  const wanted = manager === 'yarn' ? 'Yarn 2 or later' : name;
  const advice =
    'the operator can install it where the worker runs, or name an image that has it in FETTLE_SANDBOX_IMAGES';
  if (source === undefined) return { ok: false, reason: `the sandbox has no ${wanted}: ${advice}` };
  const npx = await sandbox.run({ command: 'command -v npx', cwd: folder, ...limits });
  if (npx.exitCode !== 0) {
    return { ok: false, reason: `the sandbox has no ${wanted}, and no npx to fetch it: ${advice}` };
  }
  const spec = `${source.package}@${version ?? source.version}`;
  return {
    ok: true,
    note: `The sandbox has no ${wanted}, so that npx is asked for ${spec}; where that fails, ${advice}.`,
    start: ([first = '', ...rest]) =>
      first === name ? ['npx', '--yes', `--package=${spec}`, '--', name, ...rest] : [first, ...rest],
  };
}
