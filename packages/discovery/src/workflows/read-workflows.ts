/**
 * Reads what the GitHub workflows of a repository run for a push or a pull request. Nothing here is ever executed as it
 * is: the lines only tell which scripts and tools are the checks, and whether the build comes first.
 */
import { readYaml } from '@fettle/contract/read-yaml';
import { z } from 'zod';
import type { RepositoryRoot } from '../repository-root.ts';
import { splitLines } from './split-lines.ts';

export interface WorkflowCommand {
  /** One plain command, without a shell's own characters. */
  line: string;
  /** Where it runs. Empty for the root. */
  folder: string;
  /** `.github/workflows/ci.yml` */
  source: string;
  /** Commands of the same job run one after another. */
  job: string;
}

const maxWorkflows = 20;
const maxBytes = 200_000;
const maxCommands = 500;

const step = z.object({
  run: z.string().optional(),
  'working-directory': z.string().optional(),
  if: z.unknown().optional(),
});
const defaults = z
  .object({ run: z.object({ 'working-directory': z.string().optional() }).optional() })
  .optional()
  .catch(undefined);
const job = z.object({
  defaults,
  environment: z.unknown().optional(),
  steps: z.array(step.catch({})).max(500).default([]),
});
const workflow = z.object({
  on: z.unknown(),
  defaults,
  jobs: z.record(z.string(), job.catch({ steps: [], defaults: undefined })).default({}),
});

export async function readWorkflows(root: RepositoryRoot): Promise<WorkflowCommand[]> {
  const files = (await root.paths()).filter((path) => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path));
  const commands: WorkflowCommand[] = [];
  for (const source of files.toSorted(byName).slice(0, maxWorkflows)) {
    const file = await root.read(source, maxBytes);
    if (file === undefined || !('text' in file)) continue;
    const reading = readYaml(file.text, workflow);
    if (!reading.ok || !runsOnChanges(reading.value.on)) continue;
    commands.push(...readJobs(reading.value, source));
  }
  return commands.slice(0, maxCommands);
}

/** The usual names of the main workflow come first. */
function byName(a: string, b: string): number {
  const isMain = (path: string) => (/\/(?:ci|tests?|main|build|check|node\S*)\.ya?ml$/.test(path) ? 0 : 1);
  return isMain(a) - isMain(b) || (a < b ? -1 : 1);
}

function runsOnChanges(on: unknown): boolean {
  if (typeof on === 'string') return isChange(on);
  if (Array.isArray(on)) return on.some(isChange);
  if (typeof on !== 'object' || on === null) return false;
  const { push, pull_request: pulls } = on as Record<string, unknown>;
  return 'pull_request' in on ? !isClosing(pulls) : 'push' in on && !isForTags(push);
}

const isChange = (event: unknown) => event === 'push' || event === 'pull_request';

/** A workflow for tags publishes a release. */
const isForTags = (push: unknown) =>
  typeof push === 'object' && push !== null && 'tags' in push && !('branches' in push);

const isClosing = (pulls: unknown) =>
  typeof pulls === 'object' &&
  pulls !== null &&
  'types' in pulls &&
  [pulls.types].flat().every((type) => type === 'closed' || type === 'labeled');

function readJobs({ jobs, defaults: outer }: z.infer<typeof workflow>, source: string): WorkflowCommand[] {
  return Object.entries(jobs).flatMap(([name, { defaults: inner, environment, steps }]) => {
    if (environment !== undefined || /deploy|publish|release/i.test(name)) return [];
    const usual = inner?.run?.['working-directory'] ?? outer?.run?.['working-directory'];
    return steps.flatMap(({ run, 'working-directory': own }) => {
      const folder = toFolder(own ?? usual ?? '');
      if (run === undefined || folder === undefined) return [];
      return splitLines(run).map((line) => ({ line, folder, source, job: `${source} ${name}` }));
    });
  });
}

function toFolder(text: string): string | undefined {
  const folder = text.trim().replace(/^\.\/|\/$/g, '');
  if (folder === '.' || folder === '') return '';
  return /^[\w@.-]+(?:\/[\w@.-]+)*$/.test(folder) && !folder.split('/').includes('..') ? folder : undefined;
}
