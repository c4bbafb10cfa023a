import { fetchesTool, refuseAll } from './package-scripts.ts';
import type { Program } from './rule.ts';

export const proseTools: Program[] = [
  {
    names: ['vale'],
    reason: 'checks prose by the repository’s settings',
    wordFlags: true,
    flags: `
      --no-exit --no-wrap --no-global --ignore-syntax --minAlertLevel=name --output=name --ext=name
      --glob=pattern --config=read --filter=pattern -v --version
    `,
    operands: ['read...'],
    refused: refuseAll(fetchesTool, 'sync'),
    match: [
      'vale docs/a.md',
      'vale --config .vale.ini docs',
      "vale --glob='*.mdx' docs/a.mdx",
      'vale --output line a.md',
    ],
    notMatch: [
      'vale sync',
      'vale /etc/x',
      'vale --config /etc/x a.md',
      'vale --output=/tmp/x a.md',
      'vale ../x',
    ],
  },
  {
    names: ['markdownlint', 'markdownlint-cli2', 'cspell', 'remark', 'textlint', 'alex'],
    toolOf: 'node',
    reason: 'checks prose by the repository’s settings',
    wordFlags: true,
    flags: `
      --fix -f --no-globs --no-progress --no-summary --quiet -q --version --words-only --unique --dot
      --config=read -c=read --ignore=pattern -i=pattern --disable=name --ext=name
    `,
    operands: ['read...'],
    writesWith: ['--fix', '-f'],
    literals: ['lint', 'check'],
    match: [
      'npx markdownlint-cli2 docs/a.md',
      "npx markdownlint-cli2 '**/*.md' '#node_modules'",
      'npx cspell lint src',
      'npx markdownlint --fix README.md',
    ],
    notMatch: [
      'npx markdownlint-cli2 /etc/x',
      'npx markdownlint -o /tmp/x a.md',
      'npx markdownlint --rules /tmp/x.js a.md',
      'npx cspell --config /etc/x a',
      'npx markdownlint --fix .git/config',
    ],
  },
  {
    names: ['sphinx-build', 'mkdocs'],
    toolOf: 'python',
    reason: 'builds documents; their settings are code of the repository, which the sandbox contains',
    flags: `
      -a -E -n -q -Q -v -W -T -N --fresh-env --write-all --keep-going --nitpicky --clean --strict --version
      -b=name --builder=name -M=name -D=text -A=text -t=name -j=name --jobs=name -d=write --doctree-dir=write
      -c=read --conf-dir=read --config-file=read
    `,
    operands: ['write...'],
    refused: {
      serve: { reason: 'a server never ends', instead: 'use build' },
      'gh-deploy': { reason: 'nothing is published from here', instead: 'use build' },
    },
    match: [
      'sphinx-build -b html docs docs/_build',
      'sphinx-build -E -a -b html . _build/html',
      'python -m sphinx-build -b text a b',
    ],
    notMatch: [
      'sphinx-build -b html docs /etc/x',
      'sphinx-build -b html docs ../out',
      'sphinx-build -d /etc/x a b',
      'sphinx-build -w /tmp/x a b',
      'mkdocs serve',
      'mkdocs gh-deploy',
    ],
  },
];
