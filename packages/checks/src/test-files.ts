/** Tells by their paths which files are tests or their data, and which decide how checks run. */

const testFiles = [
  /(?:^|\/)(?:tests?|__tests__|testing|specs?|e2e|cypress)\//i,
  /(?:^|[./_-])(?:test|tests|spec|specs|e2e)\.(?:[cm]?[jt]sx?|py|rb|php|exs?|go|rs|java|kt|cs|swift|scala|sh|bats)$/,
  /(?:^|\/)(?:test|spec)[_-][^/]*\.\w+$/,
  /_test\.\w+$/,
  /(?:_spec\.rb|(?:Tests?|Spec)\.(?:java|kts?|php|cs|swift|scala|groovy))$/,
  /(?:^|\/)conftest\.py$/,
];

/** What tests compare with, wherever it is. */
const testData = [
  /(?:^|\/)(?:test[_-]?data|(?:__)?(?:fixtures?|snapshots?|mocks?)(?:__)?|goldens?|expected|cassettes)\//i,
  /\.(?:snap|golden|approved|expected|fixture)(?:\.\w+)?$/,
];

/** Also the data of tests, such as fixtures and snapshots: it decides what a test expects. */
export function isTestFile(path: string): boolean {
  return [...testFiles, ...testData].some((pattern) => pattern.test(path));
}

/** A helper in a folder of tests is not a test that runs by itself. */
export function isRunnable(path: string): boolean {
  return (
    isTestFile(path) &&
    /(?:^test_|[._-](?:test|spec|tests)\.|_(?:test|spec)\.)/.test(path.split('/').at(-1) ?? '')
  );
}

const runnerConfigs = [
  /(?:^|\/)(?:karma\.conf|vitest\.(?:workspace|setup)|jest\.setup|gulpfile|Gruntfile|webpack\.config|rollup\.config)\.[^/]+$/,
  /(?:^|\/)(?:deno\.jsonc?|bunfig\.toml|pnpm-workspace\.yaml|tslint\.json|\.oxlintrc\.json|\.(?:eslint|prettier)ignore)$/,
  /(?:^|\/)(?:ruff\.toml|\.ruff\.toml|\.flake8|mypy\.ini|\.mypy\.ini|\.golangci\.ya?ml|\.rubocop\.yml|phpstan\.neon)$/,
  /(?:^|\/)(?:Cargo\.toml|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|CMakeLists\.txt|go\.work)$/,
  /(?:^|\/)(?:jest|vitest|vite|ava|karma|playwright|cypress|babel|eslint|prettier|biome|xo)\.config\.[^/]+$/,
  /(?:^|\/)\.(?:mocharc|eslintrc|prettierrc|babelrc|taprc|nycrc|c8rc|rspec|swcrc)[^/]*$/,
  /(?:^|\/)\.?biome\.jsonc?$/,
  /(?:^|\/)tsconfig[^/]*\.json$/,
  /(?:^|\/)(?:pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|conftest\.py|noxfile\.py|\.coveragerc)$/,
  /(?:^|\/)(?:GNUmakefile|[Mm]akefile|[Jj]ustfile|Taskfile\.ya?ml|mise\.toml|\.mise\.toml|Rakefile)$/,
  /(?:^|\/)(?:phpunit\.xml[^/]*|turbo\.json|nx\.json|lerna\.json)$/,
];

/** Whether the file configures a tool that checks run. */
export function isRunnerConfig(path: string): boolean {
  return runnerConfigs.some((pattern) => pattern.test(path));
}
