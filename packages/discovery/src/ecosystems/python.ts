import { type Check, type Discovered, type Ecosystem, nothingDiscovered } from '../discovered.ts';
import { type RepositoryRoot, readManifest } from '../repository-root.ts';
import { readSections, type Sections } from '../sections.ts';

/** A tool is configured in its own file or in a section of another file. */
interface Tool {
  check: Check;
  module: string;
  args: string;
  files: string[];
  sections: [file: string, section: string][];
}

const tools: Tool[] = [
  {
    check: 'test',
    module: 'pytest',
    args: '',
    files: ['pytest.ini', '.pytest.ini', 'pytest.toml', 'conftest.py'],
    sections: [
      ['pyproject.toml', 'tool.pytest.ini_options'],
      ['pyproject.toml', 'tool.pytest'],
      ['setup.cfg', 'tool:pytest'],
      ['tox.ini', 'pytest'],
    ],
  },
  {
    check: 'lint',
    module: 'ruff',
    args: ' check .',
    files: ['ruff.toml', '.ruff.toml'],
    sections: [
      ['pyproject.toml', 'tool.ruff'],
      ['pyproject.toml', 'tool.ruff.lint'],
    ],
  },
  {
    check: 'format',
    module: 'ruff',
    args: ' format --check .',
    files: [],
    sections: [
      ['pyproject.toml', 'tool.ruff.format'],
      ['ruff.toml', 'format'],
      ['.ruff.toml', 'format'],
    ],
  },
  {
    check: 'typecheck',
    module: 'mypy',
    args: ' .',
    files: ['mypy.ini', '.mypy.ini'],
    sections: [
      ['pyproject.toml', 'tool.mypy'],
      ['setup.cfg', 'mypy'],
    ],
  },
];

const requirementFiles = [
  'requirements.txt',
  'requirements-dev.txt',
  'dev-requirements.txt',
  'requirements-test.txt',
];

/** How packages are installed, and how a tool is started afterwards. */
interface Installer {
  file: string;
  setup: string[];
  program: string;
  start: string;
}

const lockInstallers: Installer[] = [
  { file: 'uv.lock', setup: ['uv sync --frozen'], program: 'uv', start: 'uv run --no-sync' },
  {
    file: 'poetry.lock',
    setup: ['poetry install --no-interaction'],
    program: 'poetry',
    start: 'poetry run',
  },
];

function findInstaller(root: RepositoryRoot): Installer | undefined {
  const locked = lockInstallers.find(({ file }) => root.has(file));
  const files = requirementFiles.filter(root.has);
  if (locked || files.length === 0) return locked;
  // The packages of the sandbox stay visible, because requirements rarely include the tools.
  const createVenv = 'python3 -m venv --system-site-packages .venv';
  const install = `.venv/bin/pip install ${files.map((file) => `-r ${file}`).join(' ')}`;
  return {
    file: files.join(', '),
    setup: [createVenv, install],
    program: 'python3',
    start: '.venv/bin/python -m',
  };
}

const configFiles = ['pyproject.toml', 'setup.cfg', 'tox.ini', 'ruff.toml', '.ruff.toml'];

export const python: Ecosystem = { name: 'Python', find };

async function find(root: RepositoryRoot): Promise<Discovered> {
  const found = nothingDiscovered();
  const configs = new Map<string, Sections>();
  for (const file of configFiles) {
    const text = await readManifest(root, file, found.remarks);
    if (text !== undefined) configs.set(file, readSections(text));
  }
  const installer = findInstaller(root);
  const start = installer?.start ?? 'python3 -m';
  for (const tool of tools) {
    const source = findSource(root, tool, configs) ?? (await findRequirement(root, tool));
    if (source === undefined) continue;
    const args = tool.module === 'mypy' && namesFiles(configs) ? '' : tool.args;
    const command = `${start} ${tool.module}${args}`;
    found.commands[tool.check] = { command, source, probe: `${start} ${tool.module} --version` };
  }
  if (installer === undefined) return found;
  const { file, program, setup } = installer;
  const probe = `command -v ${program}`;
  found.setup = setup.map((command) => ({ command, source: file, probe, registry: 'pypi' }));
  return found;
}

function findSource(
  root: RepositoryRoot,
  { files, sections }: Tool,
  configs: Map<string, Sections>,
): string | undefined {
  const file = files.find(root.has);
  if (file !== undefined) return file;
  const configured = sections.find(([name, section]) => configs.get(name)?.has(section));
  return configured && `[${configured[1]}] in ${configured[0]}`;
}

/** pytest needs no configuration: it is used if the requirements contain it. */
async function findRequirement(root: RepositoryRoot, { check, module }: Tool): Promise<string | undefined> {
  if (check !== 'test') return undefined;
  for (const file of requirementFiles) {
    const text = await readManifest(root, file, []);
    const lines = text?.split('\n').map((line) => line.trim().toLowerCase()) ?? [];
    if (lines.some((line) => /^pytest([^a-z0-9._-]|$)/.test(line))) return `${module} in ${file}`;
  }
  return undefined;
}

/** mypy needs the files on the command line, unless its config lists them. */
function namesFiles(configs: Map<string, Sections>): boolean {
  const keys = [configs.get('pyproject.toml')?.get('tool.mypy'), configs.get('setup.cfg')?.get('mypy')];
  return keys.some((each) => each?.has('files') || each?.has('packages'));
}
