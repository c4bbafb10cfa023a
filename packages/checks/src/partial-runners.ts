/** How well-known tools run a part of their work. */
export interface PartialRunner {
  tool: string;
  match: RegExp;
  /** `folders`: the tool takes packages instead of files. */
  paths?: 'files' | 'folders';
  /** The option for a pattern. `%` stands for the quoted pattern. */
  pattern?: string;
  /** The option that makes the tool name every passed test. */
  names?: string;
  /** Replaces the match: the tool finds the tests that import the files which follow. */
  related?: string;
}

export const partialRunners: PartialRunner[] = [
  {
    tool: 'vitest',
    match: /(?:^|[\s/])vitest(?: run)?(?=\s|$)/,
    paths: 'files',
    pattern: '-t %',
    names: '--reporter=verbose',
    related: 'vitest related --run',
  },
  {
    tool: 'jest',
    match: /(?:^|[\s/])jest(?=\s|$)/,
    paths: 'files',
    pattern: '-t %',
    names: '--verbose',
    related: 'jest --findRelatedTests',
  },
  { tool: 'mocha', match: /(?:^|[\s/])mocha(?=\s|$)/, paths: 'files', pattern: '--grep %' },
  { tool: 'ava', match: /(?:^|[\s/])ava(?=\s|$)/, paths: 'files', pattern: '--match %' },
  {
    tool: 'node --test',
    match: /(?:^|\s)node .*?--test(?=\s|$)/,
    paths: 'files',
    pattern: '--test-name-pattern %',
  },
  { tool: 'bun test', match: /(?:^|\s)bun test(?=\s|$)/, paths: 'files', pattern: '-t %' },
  { tool: 'deno test', match: /(?:^|\s)deno test(?=\s|$)/, paths: 'files', pattern: '--filter %' },
  {
    tool: 'pytest',
    match: /(?:^|[\s/])(?:pytest|py\.test)(?=\s|$)/,
    paths: 'files',
    pattern: '-k %',
    names: '-rA',
  },
  {
    tool: 'go test',
    match: /(?:^|\s)go test(?=\s|$)/,
    paths: 'folders',
    pattern: '-run %',
    names: '-v',
  },
  { tool: 'cargo test', match: /(?:^|\s)cargo test(?=\s|$)/, pattern: '%' },
  { tool: 'rspec', match: /(?:^|[\s/])rspec(?=\s|$)/, paths: 'files', pattern: '-e %' },
  { tool: 'phpunit', match: /(?:^|[\s/])phpunit(?=\s|$)/, paths: 'files', pattern: '--filter %' },
  { tool: 'eslint', match: /(?:^|[\s/])eslint(?=\s|$)/, paths: 'files' },
  { tool: 'xo', match: /(?:^|[\s/])xo(?=\s|$)/, paths: 'files' },
  { tool: 'standard', match: /(?:^|[\s/])standard(?=\s|$)/, paths: 'files' },
  { tool: 'oxlint', match: /(?:^|[\s/])oxlint(?=\s|$)/, paths: 'files' },
  { tool: 'stylelint', match: /(?:^|[\s/])stylelint(?=\s|$)/, paths: 'files' },
  { tool: 'biome', match: /(?:^|[\s/])biome (?:check|lint|format|ci)(?=\s|$)/, paths: 'files' },
  { tool: 'prettier', match: /(?:^|[\s/])prettier(?=\s|$)/, paths: 'files' },
  { tool: 'ruff', match: /(?:^|[\s/])ruff (?:check|format)(?=\s|$)/, paths: 'files' },
  { tool: 'black', match: /(?:^|[\s/])black(?=\s|$)/, paths: 'files' },
  { tool: 'flake8', match: /(?:^|[\s/])flake8(?=\s|$)/, paths: 'files' },
];
