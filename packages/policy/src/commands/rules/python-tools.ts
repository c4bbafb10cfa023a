import type { Program, Refused } from './rule.ts';

const debugger_: Refused = {
  reason: 'there is no terminal',
  instead: 'leave it out, and print the values instead',
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
    hasArgumentFiles: true,
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
      'pytest @more',
      'pytest -k @more',
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
    names: ['mypy', 'pyright', 'flake8', 'pylint'],
    toolOf: 'python',
    reason: 'checks types and style',
    hasArgumentFiles: true,
    wordFlags: true,
    flags: `
      -q -v --quiet --verbose --version --strict --ignore-missing-imports --show-error-codes --pretty
      --no-incremental --statistics --exit-zero --config-file=read --rcfile=read --select=name --ignore=name
      --extend-ignore=name --max-line-length=number --python-version=name -p=name --exclude=pattern
      --disable=name --enable=name --recursive=name --bad-names-rgxs=pattern --good-names=name --score=name
      --reports=name -r=name -E --errors-only --disallow-any-generics --follow-imports=name --no-error-summary
    `,
    operands: ['read...'],
    match: [
      'mypy src --strict',
      'python -m mypy src',
      'flake8 --max-line-length=100 src',
      'pylint --disable=C0114 src',
    ],
    notMatch: [
      'mypy /etc',
      'mypy @flags',
      'mypy --exclude @flags src',
      'mypy --install-types',
      'pylint --load-plugins=x a',
      'flake8 --config=/etc/x',
    ],
  },
  {
    names: ['black', 'isort'],
    toolOf: 'python',
    reason: 'formats files of the workspace',
    wordFlags: true,
    flags: `
      --check --check-only --diff -q -v --quiet --verbose --version --line-length=number -l=number --profile=name
      --target-version=name --exclude=pattern --config=read
    `,
    operands: ['write...'],
    match: ['black --check .', 'black src', 'isort --check-only src'],
    notMatch: ['black /etc', 'black .git/config', 'black --code x', 'isort --settings-path=/etc .'],
  },
  {
    names: ['ruff'],
    toolOf: 'python',
    reason: 'checks style and formats',
    flags: '--version',
    subcommands: [
      {
        names: ['check'],
        reason: 'checks style',
        wordFlags: true,
        flags: `
          --fix --unsafe-fixes --no-fix --show-fixes --diff --statistics --no-cache --exit-zero -q -v --quiet
          --verbose --select=name --ignore=name --extend-select=name --output-format=name --line-length=number
          --target-version=name --exclude=pattern --config=read
        `,
        hasArgumentFiles: true,
        operands: ['read...'],
        writesWith: ['--fix'],
        match: ['ruff check .', 'ruff check --fix src', 'python -m ruff check --select=E,F src'],
        notMatch: [
          'ruff check /etc',
          'ruff check --watch',
          'ruff check --output-file=/tmp/x',
          'ruff check --fix .git/x',
          'ruff check @flags',
        ],
      },
      {
        names: ['format'],
        reason: 'formats files of the workspace',
        wordFlags: true,
        flags: '--check --diff --no-cache -q -v --line-length=number --target-version=name --config=read',
        hasArgumentFiles: true,
        operands: ['write...'],
        match: ['ruff format --check .', 'ruff format src'],
        notMatch: ['ruff format /etc', 'ruff format --config /etc/x', 'ruff format @flags'],
      },
    ],
    match: ['ruff --version'],
    notMatch: ['ruff server', 'ruff chekc .', 'ruff clean'],
  },
  {
    names: ['py_compile', 'compileall', 'coverage', 'tox', 'nox'],
    toolOf: 'python',
    reason: 'checks files of the workspace, or runs its tests',
    flags: '-q -m -r --show-missing -e=name -s=name --include=pattern',
    operands: ['read...'],
    literals: ['run', 'report', 'xml', 'html'],
    match: ['python -m py_compile src/a.py', 'coverage report -m', 'coverage run -m pytest', 'tox -e py312'],
    notMatch: ['python -m py_compile /etc/x', 'tox -c /etc/x', 'coverage run --rcfile=/x a.py'],
  },
  {
    names: ['json.tool'],
    toolOf: 'python',
    reason: 'formats JSON',
    flags: '--sort-keys --no-ensure-ascii --compact --json-lines --indent=number',
    operands: ['read', 'write'],
    match: ['python -m json.tool package.json', 'python -m json.tool --indent 2 a.json b.json'],
    notMatch: ['python -m json.tool /etc/x', 'python -m json.tool a.json .git/x'],
  },
];
