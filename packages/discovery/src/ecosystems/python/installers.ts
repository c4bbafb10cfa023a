/** How packages are installed, and how a tool is started afterwards. */
import type { RepositoryRoot } from '../../repository-root.ts';
import type { Sections } from '../../sections.ts';
import { readList } from '../../toml-lists.ts';

export interface Installer {
  file: string;
  setup: string[];
  program: string;
  start: string;
}

const locked: Installer[] = [
  { file: 'uv.lock', setup: ['uv sync --frozen'], program: 'uv', start: 'uv run --no-sync' },
  { file: 'poetry.lock', setup: ['poetry install --no-interaction'], program: 'poetry', start: 'poetry run' },
  { file: 'pdm.lock', setup: ['pdm install --frozen-lockfile'], program: 'pdm', start: 'pdm run' },
];

export const requirementFiles = [
  'requirements.txt',
  'requirements-dev.txt',
  'requirements_dev.txt',
  'dev-requirements.txt',
  'requirements-test.txt',
  'requirements-tests.txt',
  'test-requirements.txt',
];

/** Names of the extras and groups that contain what tests need. */
const groups = ['test', 'tests', 'testing', 'dev', 'develop'];
/** Other requirements, such as those with a marker, are left to the project's own groups. */
const plain = /^[A-Za-z][\w.-]*(?:\[[\w.,-]+\])?(?:[<>=!~]=?[\w.*]+(?:,[<>=!~]=?[\w.*]+)*)?$/;
const maxPackages = 40;

/** `pyproject` is the text of the file. */
export function findInstaller(
  root: RepositoryRoot,
  pyproject: string | undefined,
  configs: Map<string, Sections>,
): Installer | undefined {
  const manager = locked.find(({ file }) => root.has(file));
  if (manager) return manager;
  const files = requirementFiles.filter(root.has);
  const project = findProject(root, pyproject ?? '', configs.get('pyproject.toml'), files.length > 0);
  if (files.length === 0 && project === undefined) return undefined;
  const named = files.map((file) => `-r ${file}`);
  const install = ['.venv/bin/pip install', ...named, ...(project?.operands ?? [])].join(' ');
  return {
    file: [...files, ...(project ? [project.file] : [])].join(', '),
    // The packages of the sandbox stay visible, because requirements rarely include the tools.
    setup: ['python3 -m venv --system-site-packages .venv', install],
    program: 'python3',
    start: '.venv/bin/python -m',
  };
}

/** The project itself, with the extras and groups for its tests. */
function findProject(
  root: RepositoryRoot,
  pyproject: string,
  sections: Sections | undefined,
  hasRequirements: boolean,
): { file: string; operands: string[] } | undefined {
  const isProject = sections?.has('build-system') && (sections.has('project') || sections.has('tool.poetry'));
  const file = isProject ? 'pyproject.toml' : ['setup.py'].find(root.has);
  if (file === undefined) return undefined;
  const extras = groups.filter((name) => sections?.get('project.optional-dependencies')?.has(name));
  const [, name = ''] = /^name\s*=\s*["']([^"']+)["']/m.exec(pyproject) ?? [];
  const isOther = (text: string) => /^[\w.-]+/.exec(text)?.[0].toLowerCase() !== name.toLowerCase();
  // Requirements files name these packages already.
  const packages = (hasRequirements ? [] : groups)
    .flatMap((name) => [
      ...readList(pyproject, 'dependency-groups', name),
      ...readList(pyproject, `tool.hatch.envs.${name}`, 'dependencies'),
    ])
    .map((text) => text.replaceAll(/\s/g, ''))
    .filter((text) => plain.test(text) && isOther(text));
  const operands = ['-e', extras.length > 0 ? `'.[${extras.join(',')}]'` : '.'];
  const unique = [...new Set(packages)].slice(0, maxPackages);
  return {
    file,
    operands: [...operands, ...unique.map((text) => (/^[\w.-]+$/.test(text) ? text : `'${text}'`))],
  };
}
