/**
 * The second, independent scanner. Files in a repository can disable gitleaks, and it skips lockfiles by name. So it
 * gets one text at a time on standard input, in a folder that contains only our settings. Nothing is written to disk:
 * a killed worker leaves nothing behind.
 */
import { join } from 'node:path';
import { type ProgramResult, runProgram } from '@fettle/process';
import { readToolEnvironment } from '@fettle/system-packages';
import { z } from 'zod';
import { describeMatches } from '../describe-matches.ts';
import type { Finding } from '../finding.ts';
import { GitleaksError } from './gitleaks-error.ts';
import { toMatches } from './leak-matches.ts';

const folder = join(import.meta.dirname, 'settings');
/** The default is 1, which is also the exit code of a failure. */
const leaksExitCode = 42;
const usualTimeoutMs = 120_000;
const maxReportBytes = 64 * 1024 * 1024;

const options = [
  'stdin',
  '--ignore-gitleaks-allow',
  '--max-decode-depth=3',
  '--no-banner',
  '--no-color',
  '--log-level=error',
  '--report-format=json',
  '--report-path=-',
  `--exit-code=${leaksExitCode}`,
  '--config=settings.toml',
];

const leak = z.object({ RuleID: z.string(), Secret: z.string() });
export type Leak = z.infer<typeof leak>;

export interface GitleaksOptions {
  /** From `findGitleaks`. */
  program: string;
  /** Only for the report. */
  filename?: string;
  timeoutMs?: number;
  /** Kills it at once. */
  signal?: AbortSignal | undefined;
}

/**
 * The secrets that gitleaks finds in a text. Throws when gitleaks is missing, fails or takes too long: such a text
 * does not count as clean.
 */
export async function scanWithGitleaks(
  text: string,
  { program, filename = '', timeoutMs = usualTimeoutMs }: GitleaksOptions,
): Promise<Finding[]> {
  return describeMatches(text, toMatches(text, await listLeaks(text, { program, timeoutMs })), filename);
}

/** The raw report of gitleaks. */
export async function listLeaks(
  text: string,
  { program, timeoutMs = usualTimeoutMs, signal }: Omit<GitleaksOptions, 'filename'>,
): Promise<Leak[]> {
  return readReport(await run(program, { text, timeoutMs, signal }));
}

interface Input extends Pick<GitleaksOptions, 'signal'> {
  text: string;
  timeoutMs: number;
}

async function run(program: string, { text, timeoutMs, signal }: Input): Promise<string> {
  const result = await runProgram([program, ...options], {
    cwd: folder,
    environment: readToolEnvironment(),
    input: text,
    timeoutMs,
    graceMs: 0,
    signal,
    maxBytes: maxReportBytes,
  });
  signal?.throwIfAborted();
  const { stopped, exitCode, stdout, stderr } = result;
  if (stopped === 'not_found') throw new GitleaksError('gitleaks_missing', `${program} cannot be run.`);
  if (stopped === 'timeout')
    throw new GitleaksError('gitleaks_timeout', `gitleaks did not end within ${timeoutMs} ms.`, slowAdvice);
  // Also when it stops early without an error: a signal or a truncated report leaves no exit code.
  if (stopped !== undefined || (exitCode !== 0 && exitCode !== leaksExitCode))
    throw failure(describeEnd(result), stderr);
  return stdout.toString('utf8');
}

function describeEnd({ stopped, exitCode, signal }: ProgramResult): string {
  if (stopped === 'too_large') return `its report is larger than ${maxReportBytes} bytes`;
  return signal ? `it was killed by ${signal}` : `it exited with code ${exitCode}`;
}

const slowAdvice = 'Leave out the file that is too large, or try again when the machine is less busy.';

function readReport(report: string): Leak[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(report);
  } catch {
    throw failure('its report is no JSON', report.slice(0, 200));
  }
  const leaks = z.array(leak).safeParse(parsed);
  if (!leaks.success) throw failure('its report has another form than expected', '');
  return leaks.data;
}

export function failure(why: string, output: string): GitleaksError {
  // The output may contain parts of the input.
  const said = output.replace(/[A-Za-z0-9+/_=-]{16,}/g, '[…]').slice(-500);
  return new GitleaksError('gitleaks_failed', `gitleaks failed: ${why.split('\n')[0]} ${said}`.trim());
}
