/**
 * `node bench/repositories.ts <clone>…`: runs `fettle check` on clones of public projects, one after another, and prints
 * the table and the sections of docs/repositories.md.
 */
import { basename, resolve } from 'node:path';
import { runProgram } from '@fettle/process';
import { z } from 'zod';

const reportSchema = z.object({
  setup: z.object({
    status: z.string(),
    command: z.string().optional(),
    durationMs: z.number(),
    reason: z.string().optional(),
  }),
  checks: z.array(
    z.object({
      name: z.string(),
      command: z.string(),
      status: z.string(),
      durationMs: z.number(),
      reason: z.string().optional(),
      tests: z.object({ passed: z.number(), failed: z.number(), skipped: z.number() }).optional(),
    }),
  ),
  toolchain: z.array(z.object({ tool: z.string(), version: z.string() })),
});
type Report = z.infer<typeof reportSchema>;

const fettle = resolve(import.meta.dirname, '../node_modules/.bin/fettle');
const timeoutMs = 15 * 60_000;
const maxReason = 220;

interface Description {
  row: string;
  section: string;
}

async function describe(clone: string): Promise<Description> {
  const name = basename(clone).replace('+', '/');
  const environment = { ...process.env, NO_COLOR: '1' } as Record<string, string>;
  const head = await runProgram(['git', '-C', clone, 'rev-parse', '--short=8', 'HEAD'], { environment });
  const commit = head.stdout.toString().trim();
  const { stdout } = await runProgram([fettle, 'check', '--repo', clone, '--json'], {
    environment,
    timeoutMs,
  });
  const parsed = reportSchema.safeParse(toJson(stdout.toString()));
  if (!parsed.success) {
    const problem = stdout.toString().slice(0, maxReason);
    return { row: row([name, problem, '', '', '']), section: `### ${name}\n\n${problem}` };
  }
  const { setup, checks, toolchain } = parsed.data;
  const named = (status: string) =>
    checks.filter((check) => check.status === status).map((check) => check.name);
  const tools = toolchain.map(({ tool, version }) => `${tool} ${version}`).join(', ');
  const lines = [`Set-up: ${describeSetup(setup)}`, ...checks.map(describeCheck)].map((line) => `- ${line}`);
  return {
    row: row([
      name,
      setup.status === 'none' ? 'not needed' : setup.status.replaceAll('_', ' '),
      ...['passed', 'failed', 'could_not_run'].map((status) => named(status).join(', ')),
    ]),
    section: [`### ${name}`, `Commit \`${commit}\`${tools && `, with ${tools}`}.`, lines.join('\n')].join(
      '\n\n',
    ),
  };
}

function describeSetup({ status, command, durationMs, reason }: Report['setup']): string {
  if (status === 'none') return 'not needed';
  if (status === 'passed') return `\`${command}\`, ${seconds(durationMs)}`;
  return `${status.replaceAll('_', ' ')}: ${short(reason ?? '')}`;
}

function describeCheck({ name, status, durationMs, tests, reason }: Report['checks'][number]): string {
  if (status === 'could_not_run') return `Could not run: ${name}: ${short(reason ?? '')}`;
  const counts = tests ? `, ${tests.passed} passed, ${tests.failed} failed` : '';
  const why = status === 'failed' ? ` (${short(reason ?? '')})` : '';
  return `${name} ${status}, ${seconds(durationMs)}${counts}${why}`;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
const short = (text: string) => (text.length > maxReason ? `${text.slice(0, maxReason)} …` : text);
const row = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const projects: Description[] = [];
for (const clone of process.argv.slice(2)) projects.push(await describe(clone));
console.log(projects.map((project) => project.row).join('\n'));
console.log(`\n${projects.map((project) => project.section).join('\n\n')}`);
