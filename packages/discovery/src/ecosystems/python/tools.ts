/** The tools that Fettle knows, and how it sees that a repository uses them. */
import type { Check } from '../../discovered.ts';
import type { RepositoryRoot } from '../../repository-root.ts';
import type { Sections } from '../../sections.ts';

/** A tool is configured in its own file or in a section of another file. */
export interface Tool {
  check: Check;
  module: string;
  args: string;
  files: string[];
  sections: [file: string, section: string][];
}

export const tools: Tool[] = [
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
    check: 'lint',
    module: 'flake8',
    args: '',
    files: ['.flake8'],
    sections: [
      ['setup.cfg', 'flake8'],
      ['tox.ini', 'flake8'],
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
    check: 'format',
    module: 'black',
    args: ' --check .',
    files: [],
    sections: [['pyproject.toml', 'tool.black']],
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

export const configFiles = ['pyproject.toml', 'setup.cfg', 'tox.ini', 'ruff.toml', '.ruff.toml'];

/** Where the tool is configured. */
export function findConfigured(
  root: RepositoryRoot,
  { files, sections }: Tool,
  configs: Map<string, Sections>,
): string | undefined {
  const file = files.find(root.has);
  if (file !== undefined) return file;
  const configured = sections.find(([name, section]) => configs.get(name)?.has(section));
  return configured && `[${configured[1]}] in ${configured[0]}`;
}

/** mypy needs the files on the command line, unless its config lists them. */
export function namesFiles(configs: Map<string, Sections>): boolean {
  const keys = [configs.get('pyproject.toml')?.get('tool.mypy'), configs.get('setup.cfg')?.get('mypy')];
  return keys.some((each) => each?.has('files') || each?.has('packages') || each?.has('modules'));
}
