/** Runs a program to its end, with a limit on its output. */
import { type ProgramExit, type ProgramOptions, startProgram } from './start-program.ts';

export interface ProgramRun extends Omit<ProgramOptions, 'stdin' | 'stdout' | 'stderr'> {
  input?: string | Uint8Array | undefined;
  /** For standard output. The program is stopped when it writes more. */
  maxBytes?: number | undefined;
}

export interface ProgramResult extends Omit<ProgramExit, 'stopped'> {
  stopped: ProgramExit['stopped'] | 'too_large';
  /** At most `maxBytes`. */
  stdout: Buffer;
  /** The first 64 KiB. */
  stderr: string;
}

const defaultMaxBytes = 64 * 1024 * 1024;
const maxStderrBytes = 64 * 1024;

/** Never throws for a program that fails: the result says how it ended. */
export async function runProgram(argv: readonly string[], run: ProgramRun): Promise<ProgramResult> {
  const { input, maxBytes = defaultMaxBytes, ...options } = run;
  const program = startProgram(argv, { ...options, stdin: input === undefined ? 'ignore' : 'pipe' });
  if (input !== undefined) program.stdin?.end(input);
  const stdout = collect(program.stdout, maxBytes, program.stop);
  const stderr = collect(program.stderr, maxStderrBytes);
  const exit = await program.exited;
  return {
    ...exit,
    // The last chunk can cross the limit after the program has exited by itself.
    stopped: stdout.isTooLarge() ? 'too_large' : exit.stopped,
    stdout: stdout.bytes(),
    stderr: stderr.bytes().toString('utf8'),
  };
}

function collect(stream: NodeJS.ReadableStream | undefined, maxBytes: number, onTooLarge?: () => void) {
  const chunks: Buffer[] = [];
  let size = 0;
  stream?.on('data', (chunk: Buffer) => {
    if (size < maxBytes) chunks.push(chunk);
    const wasTooLarge = size > maxBytes;
    size += chunk.length;
    if (size > maxBytes && !wasTooLarge) onTooLarge?.();
  });
  return {
    isTooLarge: () => size > maxBytes,
    bytes: () => Buffer.concat(chunks).subarray(0, maxBytes),
  };
}
