import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLineSink } from './line-sink.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function tryMount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function fill(): void {
  try {
    writeFileSync(join(folder, 'filler'), Buffer.alloc(100_000));
  } catch {
    // The rest of the space was used.
  }
}

const line = (n: number) => `${JSON.stringify({ n, text: 'x'.repeat(1_000) })}\n`;

test('lines that a full disk rejects are dropped, and their number is logged when there is space again', ({
  skip,
}) => {
  if (!tryMount()) return skip('no right to mount a small file system');
  const descriptor = openSync(join(folder, 'log'), 'a');
  try {
    const sink = createLineSink(descriptor, 'api');
    sink.write(line(0));
    fill();
    // The current page still has space; the line that fills it is written in part.
    for (let n = 1; n < 20; n += 1) sink.write(line(n));
    rmSync(join(folder, 'filler'));
    sink.write(line(20));
    sink.write(line(21));
    const written = readFileSync(join(folder, 'log'), 'utf8').trimEnd().split('\n');
    const whole = written.flatMap((each) => (each.endsWith('}') ? [JSON.parse(each)] : []));
    const { lines, ...note } = whole.find(({ msg }) => msg !== undefined);
    expect(note).toMatchObject({ level: 40, name: 'api', msg: expect.stringContaining('were dropped') });
    const numbers = whole.flatMap(({ n }) => n ?? []);
    expect(numbers.slice(-2)).toEqual([20, 21]);
    expect(numbers.length + lines).toBe(22);
    expect(whole).toHaveLength(numbers.length + 1);
  } finally {
    closeSync(descriptor);
    execFileSync('umount', [folder]);
  }
});

const program = `
  import { createLog } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))};
  const log = createLog('it', 'info', (text) => text);
  for (let n = 0; n < 500; n += 1) log.info({ n, text: 'x'.repeat(1000) }, 'a line');
  process.stdout.write('did its work');
`;

test.each(['/dev/full', 'a reader that has exited', 'a non-blocking pipe that is not read'])(
  'a process with %s as its standard error does its work and ends well',
  async (what) => {
    const full = what === '/dev/full' ? openSync(what, 'w') : undefined;
    // Writing to standard error through a stream makes the pipe non-blocking.
    const source = what.startsWith('a non-blocking pipe')
      ? `process.stderr._handle.setBlocking(false);${program}`
      : program;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', source], {
      stdio: ['ignore', 'pipe', full ?? 'pipe'],
    });
    if (full !== undefined) closeSync(full);
    if (what.startsWith('a reader')) child.stderr?.destroy();
    const late = setTimeout(() => child.kill('SIGKILL'), 20_000);
    const [said, [code]] = await Promise.all([
      text(child.stdout as NonNullable<typeof child.stdout>),
      once(child, 'exit'),
    ]);
    clearTimeout(late);
    child.stderr?.destroy();
    expect({ said, code }).toEqual({ said: 'did its work', code: 0 });
  },
);
