import { type Discovered, type Ecosystem, type FoundCommand, nothingDiscovered } from '../../discovered.ts';
import { type RepositoryRoot, readManifest } from '../../repository-root.ts';
import { readSections, type Sections } from '../../sections.ts';
import { findInstaller, type Installer } from './installers.ts';
import { findTestCommand } from './test-command.ts';
import { configFiles, findConfigured, namesFiles, tools } from './tools.ts';

export const python: Ecosystem = { name: 'Python', find };

async function find(root: RepositoryRoot): Promise<Discovered> {
  const found = nothingDiscovered();
  const configs = new Map<string, Sections>();
  const texts = new Map<string, string>();
  for (const file of configFiles) {
    const text = await readManifest(root, file, found.remarks);
    if (text === undefined) continue;
    configs.set(file, readSections(text));
    texts.set(file, text);
  }
  const installer = findInstaller(root, texts.get('pyproject.toml'), configs);
  const needed = findVersion(texts.get('pyproject.toml') ?? '');
  const starts = { installer, needed, path: (await hasSourceFolder(root)) ? 'PYTHONPATH=src ' : '' };
  for (const tool of tools) {
    if (found.commands[tool.check]) continue;
    if (tool.check === 'test') {
      const test = await findTestCommand(root, tool, configs);
      if (test) found.commands.test = toCommand(starts, test);
      continue;
    }
    const source = findConfigured(root, tool, configs);
    if (source === undefined) continue;
    const args = tool.module === 'mypy' && namesFiles(configs) ? '' : tool.args;
    found.commands[tool.check] = toCommand(starts, { module: tool.module, args, source });
  }
  if (installer === undefined || Object.keys(found.commands).length === 0) return found;
  const { file, program, setup } = installer;
  const probe = `command -v ${program}`;
  found.setup = setup.map((command) => ({ command, source: file, probe, registry: 'pypi' }));
  return found;
}

interface Starts {
  installer: Installer | undefined;
  /** The minor version of Python 3. */
  needed: number | undefined;
  /** Makes the sources importable where the project is not installed. */
  path: string;
}

/** In the environment of the installer. Where it does not exist, with the packages of the system. */
function toCommand(
  { installer, needed, path }: Starts,
  { module, args, source }: { module: string; args: string; source: string },
): FoundCommand {
  // unittest is a part of Python, but not a program of its own.
  const isOwn = module === 'unittest';
  const startWith = (start: string, from: string): FoundCommand => {
    const command = isOwn && !start.endsWith('-m') ? `${start} python -m ${module}` : `${start} ${module}`;
    const starts = isOwn ? `${command} --help` : `${command} --version`;
    // A manager of packages chooses the version of Python by itself.
    const hasVersion = needed === undefined || !start.endsWith('-m');
    const python = start.replace(/ -m$/, '');
    return {
      ...{ command: `${command}${args}`, source },
      probe: hasVersion
        ? starts
        : `${python} -c 'import sys; sys.exit(sys.version_info < (3, ${needed}))' && ${starts}`,
      needs: [
        ...(isOwn ? [] : [module, from]),
        ...(hasVersion ? [] : [`with Python 3.${needed} or later`]),
      ].join(' '),
    };
  };
  const ofSystem = startWith(`${path}python3 -m`, 'in the Python of the system');
  if (installer === undefined) return ofSystem;
  // An environment that shows the packages of the system must not find another release of the project there.
  const isShared = installer.start.startsWith('.venv/');
  const from = `of ${installer.program === 'python3' ? 'the set-up' : `\`${installer.program}\``} or in the Python of the system`;
  return { ...startWith(`${isShared ? path : ''}${installer.start}`, from), instead: [ofSystem] };
}

function findVersion(pyproject: string): number | undefined {
  const [, minor] = /^requires-python\s*=\s*["'][^"']*>=\s*3\.(\d{1,2})/m.exec(pyproject) ?? [];
  return minor === undefined ? undefined : Number(minor);
}

/** Modules below `src/` are found only if the project is installed. */
async function hasSourceFolder(root: RepositoryRoot): Promise<boolean> {
  return (await root.paths()).some((path) => /^src\/(?:[^/]+\/){0,3}[^/]+\.py$/.test(path));
}
