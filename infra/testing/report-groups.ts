/** Vitest reporter: lists the groups of tests that `npm test` left out, and records durations and failed files. */
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { listTestFiles, type TestGroup, testGroups } from './test-groups.ts';

/** Both set by .ci/run. */
const durationsFile = process.env.FETTLE_TEST_DURATIONS;
const failedFile = process.env.FETTLE_TEST_FAILED;

export default class ReportGroups implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (durationsFile !== undefined) appendFileSync(durationsFile, modules.map(describeDuration).join(''));
    const failed = modules.filter((module) => !module.ok());
    if (failedFile !== undefined) appendFileSync(failedFile, failed.map(describeFailed).join(''));
    const ran = Map.groupBy(modules, ({ project }) => project.name);
    const isWhole = testGroups.every(
      (group) => !group.quick || ran.get(group.name)?.length === listTestFiles(group).length,
    );
    const notRun = testGroups.filter(({ name }) => !ran.has(name));
    // A run of selected files is not expected to cover the rest.
    if (isWhole && notRun.length > 0) console.log(describeNotRun(notRun));
  }
}

function describeDuration(module: TestModule): string {
  const seconds = (module.diagnostic().duration / 1000).toFixed(1);
  return `${seconds.padStart(7)} s  ${module.project.name.padEnd(10)} ${relative('.', module.moduleId)}\n`;
}

/** As arguments for a second run of this file. */
function describeFailed({ project, moduleId }: TestModule): string {
  return `--project ${project.name} ${relative('.', moduleId)}\n`;
}

function describeNotRun(groups: TestGroup[]): string {
  const lines = groups.map((group) => {
    const files = listTestFiles(group).length;
    return `  ${group.name.padEnd(11)} ${String(files).padStart(3)} files  ${group.about}`;
  });
  return ['Not run (npm run test:all runs everything):', ...lines, ''].join('\n');
}
