import type { Program, Refused } from './rule.ts';

const watches: Refused = { reason: 'watching never ends', instead: 'leave it out' };

export const javascriptTools: Program[] = [
  {
    names: ['tsc', 'vue-tsc', 'tsgo'],
    toolOf: 'node',
    reason: 'checks types and compiles, into the workspace',
    wordFlags: true,
    hasArgumentFiles: true,
    flags: `
      --noEmit -b --build --skipLibCheck --strict --declaration -d --emitDeclarationOnly
      --incremental --listFiles --listFilesOnly --showConfig --traceResolution --explainFiles
      --diagnostics --extendedDiagnostics --esModuleInterop --allowJs --checkJs
      --noErrorTruncation --force -f --clean --dry --verbose -v --version --noUnusedLocals
      --noUnusedParameters --isolatedModules --resolveJsonModule --sourceMap --pretty
      --noImplicitAny --strictNullChecks --downlevelIteration --allowImportingTsExtensions
      --erasableSyntaxOnly -p=read --project=read --outDir=write --outFile=write --rootDir=read
      --baseUrl=read --declarationDir=write --tsBuildInfoFile=write --target=name -t=name
      --module=name -m=name --moduleResolution=name --lib=name --jsx=name --types=name
    `,
    operands: ['read...'],
    refused: {
      '-w': watches,
      '--watch': watches,
      '--init': { reason: 'it overwrites settings', instead: 'use write_file' },
    },
    match: [
      'tsc --noEmit',
      'tsc -p tsconfig.json',
      'tsc --noEmit --pretty false',
      'tsc --build packages/a',
      'tsc --noEmit src/a.ts',
    ],
    notMatch: [
      'tsc --watch',
      'tsc --outDir /tmp/x',
      'tsc -p /etc',
      'tsc --noEmmit',
      'tsc --plugins x',
      'tsc @flags.txt',
    ],
  },
  {
    names: ['eslint', 'oxlint'],
    toolOf: 'node',
    reason: 'checks style; its settings are code of the repository, which the sandbox contains',
    wordFlags: true,
    flags: `
      --fix --fix-dry-run --quiet --cache --no-cache --debug --no-warn-ignored
      --no-error-on-unmatched-pattern -v --report-unused-disable-directives --no-inline-config
      --no-eslintrc --no-ignore --stats --color --no-color --version --exit-on-fatal-error
      --pass-on-no-patterns --no-config-lookup --type-aware --deny-warnings -c=read --config=read
      --ext=pattern --max-warnings=count -f=module --format=module -o=write --output-file=write
      --cache-location=write --cache-strategy=name --rule=text --ignore-pattern=pattern
      --print-config=read --parser-options=text --env=name --global=name --fix-type=name
      --report-unused-disable-directives-severity=name --concurrency=name
    `,
    operands: ['read...'],
    writesWith: ['--fix'],
    match: [
      'eslint .',
      'eslint src --fix',
      'eslint --ext .ts,.tsx src',
      'eslint --max-warnings=0 src/a.ts',
      "eslint 'src/**/*.ts'",
    ],
    notMatch: [
      'eslint --resolve-plugins-relative-to /tmp .',
      'eslint --cache-location /tmp/x .',
      'eslint --rulesdir x .',
      'eslint -c /etc/x .',
      'eslint --init',
      'eslint --fixx .',
    ],
  },
  {
    names: ['prettier'],
    toolOf: 'node',
    reason: 'formats files; its settings are code of the repository, which the sandbox contains',
    wordFlags: true,
    flags: `
      --check -c --write -w --list-different -l --ignore-unknown -u --no-semi --single-quote
      --version --no-config --no-editorconfig --no-error-on-unmatched-pattern --cache --no-cache
      --use-tabs --no-color --jsx-single-quote --no-bracket-spacing --with-node-modules
      --config=read --ignore-path=read --parser=name --plugin=module --log-level=name
      --loglevel=name --tab-width=number --print-width=number --trailing-comma=name
      --arrow-parens=name --prose-wrap=name --end-of-line=name --stdin-filepath=read
      --find-config-path=read --file-info=read
    `,
    operands: ['read...'],
    writesWith: ['--write', '-w'],
    match: [
      'prettier --check .',
      'prettier --write src/a.ts',
      "prettier --write 'src/**/*.ts'",
      'prettier --write "**/*.md" --log-level warn',
      "prettier --check . '!dist'",
    ],
    notMatch: [
      'prettier --config /etc/x .',
      'prettier --write /etc/x',
      'prettier --plugin=/tmp/x.js a',
      'prettier --chek .',
      'prettier --write .git/config',
      'prettier --cache-location=/tmp/x .',
    ],
  },
  {
    names: ['biome'],
    toolOf: 'node',
    reason: 'checks style and formats',
    flags: '--version -V',
    subcommands: [
      {
        names: ['check', 'lint', 'format', 'ci'],
        reason: 'checks style and formats',
        wordFlags: true,
        flags: `
          --write --fix --unsafe --apply --apply-unsafe --changed --staged --verbose
          --no-errors-on-unmatched --error-on-warnings --json --json-pretty --skip-errors
          --skip-parse-errors --config-path=read --diagnostic-level=name
          --max-diagnostics=name --reporter=name --colors=name --since=ref --only=name
          --skip=name --formatter-enabled=name --linter-enabled=name
          --organize-imports-enabled=name --assist-enabled=name --files-max-size=number
          --indent-style=name --indent-width=number --line-width=number --log-level=name
        `,
        operands: ['read...'],
        writesWith: ['--write', '--fix', '--apply', '--apply-unsafe'],
        match: [
          'biome check .',
          'biome check --write src',
          'biome ci --colors=off .',
          'biome lint --max-diagnostics=200 src/a.ts',
        ],
        notMatch: [
          'biome check /etc',
          'biome check --config-path=/x .',
          'biome format --write .git/config',
          'biome check --stdin-file-path=a',
        ],
      },
    ],
    match: ['biome --version'],
    notMatch: ['biome init', 'biome start', 'biome upgrade', 'biome chekc .'],
  },
  {
    names: ['tsx', 'ts-node'],
    toolOf: 'node',
    reason: 'runs a file of the workspace, which the sandbox contains',
    wordFlags: true,
    flags: `
      --test --no-cache -v --version --transpile-only -T --esm --files --tsconfig=read -P=read
      --project=read --import=module
    `,
    operands: ['read', 'argument...'],
    stopsAtOperand: true,
    minOperands: 1,
    minUnless: ['--test', '-v', '--version'],
    refused: {
      watch: watches,
      '-e': {
        reason: 'code in the line cannot be read back as a file can',
        instead: 'write a file, and run it',
      },
      '--eval': {
        reason: 'code in the line cannot be read back as a file can',
        instead: 'write a file, and run it',
      },
    },
    match: ['tsx src/a.ts', 'npx tsx scripts/build.ts --flag', 'tsx --test src/a.test.ts'],
    notMatch: ['tsx -e 1', 'tsx /tmp/x.ts', 'tsx', 'ts-node -p 1'],
  },
  {
    names: [
      'vite',
      'next',
      'astro',
      'webpack',
      'rollup',
      'esbuild',
      'tsup',
      'turbo',
      'nx',
      'svelte-check',
      'knip',
      'madge',
      'publint',
      'attw',
    ],
    toolOf: 'node',
    reason: 'builds or checks by the repository’s settings, which the sandbox contains',
    wordFlags: true,
    flags: `
      --version --production --strict --no-progress --include-libs --circular --bundle --minify
      --mode=name --config=read -c=read --outdir=write --outDir=write --filter=name --format=name
      --tsconfig=read --platform=name
    `,
    operands: ['read...'],
    refused: {
      dev: { reason: 'a server never ends', instead: 'use build' },
      serve: { reason: 'a server never ends', instead: 'use build' },
      start: { reason: 'a server never ends', instead: 'use build' },
      preview: { reason: 'a server never ends', instead: 'use build' },
    },
    match: [
      'vite build',
      'npx next build',
      'npx tsup',
      'npx turbo build --filter=web',
      'npx svelte-check --tsconfig ./tsconfig.json',
    ],
    notMatch: ['vite --host', 'webpack --config /etc/x', 'esbuild a.ts --outdir=/tmp', 'vite dev /etc'],
  },
];
