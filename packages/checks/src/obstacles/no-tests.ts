/** How tools say that they executed no test. */
export const noTests: RegExp[] = [
  /^no tests? (?:files? )?(?:found|ran|specified)\b/i,
  /^Error: no test specified$/,
  /^=+ no tests ran\b/,
  /^=+ \d+ (?:skipped|deselected)(?:, \d+ (?:skipped|deselected))* in [\d.]+s\b/,
  /^No test files found\b/,
  /^No tests found(?:, exiting with code|!|$)/i,
  /^\s*0 passing\b/,
  /^(?:Ran 0 tests\b|NO TESTS RAN\b)/,
  /^error: No (?:matching )?test modules found$/i,
  /^(?:Incomplete: )?No specs found\b/,
  /^ +[✖✘×] (?:Couldn't find any files to test|No tests found in )/,
  /^1\.\.0\b/,
  /^(?:go: warning: .*matched no packages|no packages to test)$/,
  /^No tests executed!$/,
  /^(?:\[INFO\] )?(?:No tests to run\.|There are no tests to run\.)$/,
  /^No tests were found!!!$/,
  /^make(?:\[\d+\])?: (?:Nothing to be done for ['‘`](?:test|check)['’]\.|['‘`](?:test|check)['’] is up to date\.)$/,
  /^ *Tasks: +0 successful, 0 total$/,
  /^No tasks were executed as part of this run\.$/,
  /^ *NX +No tasks were run$/,
  /^task: Task "[^"]+" is up to date$/,
];

/** One line for each group of tests. If none of the lines stands for an executed test, no test was executed. */
export const testGroups: { line: RegExp; isEmpty: RegExp }[] = [
  // go prints one line for each package.
  { line: /^(?:ok|FAIL|---|\?) /, isEmpty: /^\? .*\[no test files\]$|^ok .*\[no tests to run\]$/ },
  { line: /^running \d+ tests?$/, isEmpty: /^running 0 tests$/ },
  { line: /^> Task \S*:test\b/, isEmpty: /^> Task \S*:test (?:NO-SOURCE|UP-TO-DATE|FROM-CACHE|SKIPPED)$/ },
];
