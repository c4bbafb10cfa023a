import type { Program, Refused } from './rule.ts';

const debugger_: Refused = {
  reason: 'there is no terminal',
  instead: 'leave it out, and print what you want to see',
};

export const pythonTools: Program[] = [
  {
    names: ['pytest', 'py.test'],
    toolOf: 'python',
    reason: 'runs the tests, which the sandbox contains',
    flags: `
      -q -v -x -s -l -qq -vv -vvv --lf --ff --nf --sw --last-failed --failed-first --stepwise
      --exitfirst --collect-only --co --no-header --no-summary --disable-warnings --strict-markers
      --strict-config --setup-show --fixtures --markers --verbose --quiet --showlocals --no-cov
      --version --runslow --snapshot-update --cache-clear -k=pattern -m=pattern -n=name
      --maxfail=number --tb=name --durations=number --rootdir=read --ignore=read
      --ignore-glob=pattern --deselect=text --cov[=name] --cov-report=name --cov-config=read
      -c=read --junitxml=write --junit-xml=write --timeout=number -p=name -W=text -r=name
      --import-mode=name --color=name --capture=name --log-cli-level=name --log-level=name
      --asyncio-mode=name --randomly-seed=name --dist=name --reruns=number --verbosity=number
    `,
    operands: ['read...'],
    refused: {
      '--pdb': debugger_,
      '--trace': debugger_,
      '--pastebin': { reason: 'there is no network', instead: 'leave it out' },
    },
    match: [
      'pytest',
      'pytest -xvs tests/test_a.py::TestA::test_b',
      "pytest -k 'a and not b' --tb=short",
      'pytest tests -q --maxfail=1',
      'pytest -rA --cov=src',
    ],
    notMatch: [
      'pytest /etc',
      'pytest --pdb',
      'pytest -c /etc/x',
      'pytest -o cache_dir=/tmp',
      'pytest --rootdir=/',
      'pytest --basetemp=/x',
    ],
  },
  {
    names: ['unittest', 'doctest'],
    toolOf: 'python',
    reason: 'runs the tests, which the sandbox contains',
    flags: '-v -q -f -b -c --verbose --failfast --buffer --locals -k=pattern -s=read -p=pattern -t=read',
    operands: ['read...'],
    match: ['python -m unittest discover -s tests', 'python -m unittest tests.test_a -v'],
    notMatch: ['python -m unittest discover -s /etc', 'python -m unittest --x'],
  },
  {
    names: ['mypy', 'pyright', 'ruff', 'black', 'isort', 'flake8', 'pylint'],
    toolOf: 'python',
    reason: 'checks types and style, and formats',
    wordFlags: true,
    flags: `
      --check --diff --fix --unsafe-fixes --strict --ignore-missing-imports --no-cache --quiet -q
      -v --verbose --version --show-error-codes --pretty --no-incremental --check-only -c
      --statistics --show-fixes --no-fix --exit-zero --config-file=read --config=read
      --select=name --ignore=name --extend-select=name --output-format=name --line-length=number
      -l=number --max-line-length=number --profile=name --target-version=name
      --python-version=name -p=name --exclude=pattern --disable=name --rcfile=read
    `,
    operands: ['read...'],
    writesWith: ['--fix'],
    literals: ['check', 'format', 'rule'],
    match: [
      'ruff check .',
      'ruff check --fix src',
      'ruff format --check .',
      'mypy src --strict',
      'black --check .',
      'isort --check-only src',
    ],
    notMatch: [
      'mypy /etc',
      'ruff check --config /etc/x',
      'black --exec x',
      'mypy --install-types',
      'pylint --load-plugins=x a',
    ],
  },
  {
    names: ['py_compile', 'compileall', 'json.tool', 'coverage', 'tox', 'nox'],
    toolOf: 'python',
    reason: 'checks files of the workspace, or runs its tests',
    flags: `
      -q -m -r --show-missing --sort-keys --no-ensure-ascii -e=name -s=name --indent=number
      --include=pattern
    `,
    operands: ['read...'],
    literals: ['run', 'report', 'xml', 'html'],
    match: [
      'python -m py_compile src/a.py',
      'python -m json.tool package.json',
      'coverage report -m',
      'tox -e py312',
    ],
    notMatch: ['python -m py_compile /etc/x', 'tox -c /etc/x', 'coverage run --rcfile=/x a.py'],
  },
];
