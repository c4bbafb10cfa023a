/** Lockfiles and installed packages that appear where the repository has none, because some command wrote them. */
import { basename, dirname } from 'node:path/posix';

export interface Stray {
  rule: 'stray-lockfile' | 'installed-packages';
  reason: string;
  instead: string;
}

/** The lockfiles of each language, and the files that a project of it has. */
const languages: { lockfiles: string[]; manifests: string[] }[] = [
  {
    lockfiles: [
      ...['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb'],
      'deno.lock',
    ],
    manifests: ['package.json', 'deno.json', 'deno.jsonc'],
  },
  {
    lockfiles: ['poetry.lock', 'uv.lock', 'pdm.lock', 'Pipfile.lock'],
    manifests: ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'Pipfile'],
  },
  { lockfiles: ['Cargo.lock'], manifests: ['Cargo.toml'] },
  { lockfiles: ['Gemfile.lock'], manifests: ['Gemfile'] },
  { lockfiles: ['composer.lock'], manifests: ['composer.json'] },
];

const installed =
  /^(?:.*\/)?(?:node_modules|bower_components|\.pnpm-store|\.yarn\/(?:cache|unplugged|install-state\.gz)|\.pnp\.c?js|\.venv|venv|__pycache__|\.tox|\.nox|\.eggs|site-packages|vendor\/bundle|vendor\/composer|\.bundle|\.gradle)(?=\/|$)/;

/** The folder of installed packages that the path is in. These stay in the sandbox, because commands need them. */
export const installedFolderOf = (path: string): string | undefined => installed.exec(path)?.[0];

/** `files` are the paths of the base, `named` those that the request names. */
export function createStrayFinder(
  files: readonly string[],
  named: readonly string[],
): (path: string) => Stray | undefined {
  const inBase = new Set(files);
  const names = new Set(files.map((path) => basename(path)));
  const isNamed = (path: string) => named.some((each) => path === each || path.startsWith(`${each}/`));
  const isInBase = (folder: string) => files.some((path) => path === folder || path.startsWith(`${folder}/`));

  function isStrayLockfile(path: string): boolean {
    const language = languages.find(({ lockfiles }) => lockfiles.includes(basename(path)));
    // The first project of a language may get a lockfile.
    if (!language?.manifests.some((each) => names.has(each))) return false;
    const folder = dirname(path);
    const isOfProject = language.manifests.some((each) =>
      inBase.has(folder === '.' ? each : `${folder}/${each}`),
    );
    // A new project gets the lockfile that the others have.
    return isOfProject || !names.has(basename(path));
  }

  return (path) => {
    if (inBase.has(path) || isNamed(path)) return undefined;
    const folder = installedFolderOf(path);
    if (folder !== undefined) return isInBase(folder) ? undefined : installedPackages;
    return isStrayLockfile(path) ? strayLockfile : undefined;
  };
}

const strayLockfile: Stray = {
  rule: 'stray-lockfile',
  reason: 'the repository has no lockfile of this name here, and the request does not ask for one',
  instead:
    'Nothing is left to do: the rest of the change is kept. A request for it names the file as a target.',
};

const installedPackages: Stray = {
  rule: 'installed-packages',
  reason: 'installed packages are not part of a change',
  instead: 'Nothing is left to do: they stay in the sandbox, and the rest of the change is kept.',
};
