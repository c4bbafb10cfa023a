import { installs, refuseAll, settings } from './package-scripts.ts';
import type { Program } from './rule.ts';

/** They run tools in the environment that set-up created. */
export const uv: Program = {
  names: ['uv'],
  reason: 'runs a tool that is installed in the repository, checked by that tool’s own rule',
  flags: '--version -V -q --quiet --offline --directory=start',
  refused: {
    ...refuseAll(installs, 'sync add remove lock pip tool venv python build'),
    ...refuseAll(settings, '--project --config-file'),
  },
  subcommands: [
    {
      names: ['run'],
      reason: 'runs a tool of the repository, checked by that tool’s own rule',
      flags: '--no-sync --frozen --locked --offline -q --quiet --no-progress --group=name --extra=name',
      operands: ['python-tool...'],
      stopsAtOperand: true,
      minOperands: 1,
      match: ['uv run --no-sync pytest -q', 'uv run ruff check .', 'uv run python script.py'],
      notMatch: ['uv run evil', 'uv run --with evil pytest', 'uv run', 'uv run /tmp/x'],
    },
  ],
  match: ['uv --version', 'uv --directory api run pytest'],
  notMatch: ['uv pip install evil', 'uv sync', 'uv add evil', 'uv --directory / run pytest'],
};

export const poetry: Program = {
  names: ['poetry'],
  reason: 'runs a tool that is installed in the repository, checked by that tool’s own rule',
  flags: '--version -V -q --quiet -n --no-interaction',
  refused: refuseAll(installs, 'install add remove update lock sync build publish self'),
  subcommands: [
    {
      names: ['run'],
      reason: 'runs a tool of the repository, checked by that tool’s own rule',
      operands: ['python-tool...'],
      stopsAtOperand: true,
      minOperands: 1,
      match: ['poetry run pytest -q', 'poetry run python -m mypy src', 'poetry run python script.py'],
      notMatch: ['poetry run evil', 'poetry run', 'poetry run sh -c id'],
    },
  ],
  match: ['poetry --version'],
  notMatch: ['poetry add evil', 'poetry install', 'poetry config x y'],
};

export const pdm: Program = {
  names: ['pdm'],
  reason: 'runs a tool that is installed in the repository, checked by that tool’s own rule',
  flags: '--version -V -q --quiet',
  refused: refuseAll(installs, 'install add remove update lock sync build publish self'),
  subcommands: [
    {
      names: ['run'],
      reason: 'runs a tool of the repository, checked by that tool’s own rule',
      operands: ['python-tool...'],
      stopsAtOperand: true,
      minOperands: 1,
      match: ['pdm run pytest -q', 'pdm run python -m mypy src'],
      notMatch: ['pdm run evil', 'pdm run', 'pdm run sh -c id'],
    },
  ],
  match: ['pdm --version'],
  notMatch: ['pdm add evil', 'pdm install', 'pdm config x y'],
};
