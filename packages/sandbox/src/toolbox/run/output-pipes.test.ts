import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, readdirSync, writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../testing/test-sandbox.ts';
import { createOutputPipes } from './output-pipes.ts';
import type { ProgramPipe, ProgramPipes } from './program-pipes.ts';

/** As on a machine whose shell uses files for here-documents. */
const none: ProgramPipes = { prepare() {}, open: async () => undefined };

it.each([
  ['anonymous', undefined],
  ['named', none],
])('opens separate pipes between programs: %s', async (_, between) => {
  const folder = makeTemporaryFolder();
  const pipes = createOutputPipes(folder, between);
  const opened = await Promise.all(Array.from({ length: 12 }, () => pipes.openBetween()));
  const readers = opened.map(({ readFd }) => spawn('cat', { stdio: [readFd, 'pipe', 'ignore'] }));
  const outputs = Promise.all(readers.map(({ stdout }) => text(stdout as Readable)));
  const ends = readers.map((reader) => once(reader, 'exit'));
  // Readers wait for later writes, and for the last writer to close.
  for (const [at, pipe] of opened.entries()) feed(pipe, `to ${at}`);
  expect(await outputs).toEqual(opened.map((_, at) => `to ${at}`));
  await Promise.all(ends);
  expect(readdirSync(folder).filter((name) => !name.startsWith('output-'))).toEqual([]);
});

function feed({ readFd, writeFd }: ProgramPipe, content: string): void {
  writeSync(writeFd, content);
  for (const fd of [readFd, writeFd]) closeSync(fd);
}
