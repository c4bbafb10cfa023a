export { type Comparison, compareWithBase } from './compare-with-base.ts';
export { describeCounts, describeFailure } from './describe-report.ts';
export { type ReportFile, readReport } from './read-report.ts';
