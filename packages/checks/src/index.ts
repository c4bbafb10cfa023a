export { checkEnvironment } from './check-environment.ts';
export { classifyRun } from './classify-run.ts';
export { type Comparison, compareWithBase, withoutKnown } from './compare-with-base.ts';
export { describeCounts, describeFailure } from './describe-report.ts';
export { narrowCommand, readScriptsOf } from './narrow-command.ts';
export { type ReportFile, readReport } from './read-report.ts';
export { relatedCommand } from './related-command.ts';
export { summariseRun } from './summarise-run.ts';
export { isRunnerConfig, isTestFile } from './test-files.ts';
