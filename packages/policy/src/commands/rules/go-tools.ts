import { refuseAll, settings } from './package-scripts.ts';
import type { Form, Program } from './rule.ts';

const formatting: Form = {
  wordFlags: true,
  flags: '-l -w -d -s -e -local=name -srcdir=read',
  operands: ['read...'],
  writesWith: ['-w'],
};

export const goTools: Program[] = [
  {
    names: ['gofmt', 'goimports', 'gofumpt'],
    reason: 'formats files of the workspace',
    ...formatting,
    match: ['gofmt -l .', 'gofmt -w src/a.go', 'gofmt -d -s .', 'gofumpt -l -w .', 'gofmt -l *.go'],
    notMatch: [
      'gofmt -w /etc/x',
      'gofmt -l ../x',
      'gofmt -cpuprofile=x .',
      'gofmt -w .git/config',
      'gofmt -r "a -> b" .',
    ],
  },
  {
    names: ['golangci-lint'],
    reason: 'checks style; its settings are the repository’s own',
    flags: '--version -v --verbose --color=name',
    subcommands: [
      {
        names: ['run', 'fmt'],
        reason: 'checks style',
        flags: `
          -v --verbose --fix --fast --fast-only --new --tests --no-config --disable-all --enable-all --show-stats
          --allow-parallel-runners --allow-serial-runners --print-issued-lines --print-linter-name --diff -d
          --diff-colored --uniq-by-line --json -E=name --enable=name -D=name --disable=name --enable-only=name
          --default=name --timeout=count -c=read --config=read -j=number --concurrency=number --build-tags=name
          --new-from-rev=ref --new-from-merge-base=ref --out-format=name --color=name -p=name --presets=name
          --max-issues-per-linter=number --max-same-issues=number --issues-exit-code=number --go=name
          --modules-download-mode=name --path-mode=name --path-prefix=name
        `,
        operands: ['packages...'],
        writesWith: ['--fix'],
        match: [
          'golangci-lint run',
          'golangci-lint run ./... --timeout 5m',
          'golangci-lint run --new=false --enable-only=staticcheck ./a/...',
          'golangci-lint run --no-config -E unused ./a',
          'golangci-lint fmt --diff',
        ],
        notMatch: [
          'golangci-lint run /etc/...',
          'golangci-lint run --config /etc/x',
          'golangci-lint run ../...',
          'golangci-lint run --output.json.path=/tmp/x',
          'golangci-lint run --cpu-profile-path=x',
        ],
      },
      {
        names: [
          'linters',
          'formatters',
          'version',
          'cache clean',
          'cache status',
          'config path',
          'config verify',
          'help',
        ],
        reason: 'reports on itself',
        flags: '-v --verbose --json --debug --format=name --no-config',
        operands: ['name...'],
        match: ['golangci-lint linters', 'golangci-lint version --format=json', 'golangci-lint cache clean'],
        notMatch: ['golangci-lint linters --x', 'golangci-lint custom', 'golangci-lint migrate'],
      },
    ],
    refused: refuseAll(settings, 'custom migrate completion'),
    match: ['golangci-lint --version'],
    notMatch: ['golangci-lint custom', 'golangci-lint rnu'],
  },
  {
    names: [
      'staticcheck',
      'modernize',
      'fieldalignment',
      'errcheck',
      'ineffassign',
      'govulncheck',
      'nilaway',
      'deadcode',
    ],
    reason: 'checks packages of the workspace',
    wordFlags: true,
    flags: `
      -fix --fix -diff --diff -test -tests -json -v -V -version --version -checks=name -f=name -explain=name
      -go=name -tags=name -fail=name -c=number -category=name
    `,
    operands: ['packages...'],
    match: [
      'staticcheck ./...',
      'modernize --fix ./...',
      'fieldalignment ./a/... ./b/...',
      'staticcheck --version',
    ],
    notMatch: [
      'staticcheck /etc/...',
      'modernize -cpuprofile=x ./...',
      'fieldalignment ../...',
      'staticcheck -debug.cpuprofile=x .',
    ],
  },
];
