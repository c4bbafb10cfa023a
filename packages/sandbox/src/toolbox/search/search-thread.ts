import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { TextMatch } from '../../protocol/schemas.ts';
import type { SearchJob } from './node-engine.ts';
import { cutLine } from './pattern.ts';

/** Like ripgrep, which looks for a NUL byte in its first buffer. */
const binaryCheckBytes = 64 * 1024;

const job = workerData as SearchJob;
parentPort?.postMessage(search());

function search(): { matches: TextMatch[]; truncated: boolean } {
  const matches: TextMatch[] = [];
  for (const path of job.files) {
    const content = readText(join(job.workspace, path));
    for (const { line, text } of content === undefined ? [] : findLines(content)) {
      if (matches.length >= job.maxResults) return { matches, truncated: true };
      matches.push({ path, line, text });
    }
  }
  return { matches, truncated: false };
}

function* findLines(content: Buffer): Generator<{ line: number; text: string }> {
  const lines = content.toString('utf8').split('\n');
  // Text after the last line end is a line only if it is not empty.
  if (lines.at(-1) === '') lines.pop();
  for (const [index, line] of lines.entries()) {
    const bare = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (job.pattern.test(bare)) yield { line: index + 1, text: cutLine(bare, job.maxLineLength) };
  }
}

function readText(path: string): Buffer | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > job.maxFileBytes) return undefined;
    const content = readFileSync(fd);
    const nul = content.indexOf(0);
    if (nul === -1) return content;
    if (nul < binaryCheckBytes) return undefined;
    // Like ripgrep: complete lines before the NUL byte count.
    return content.subarray(0, content.lastIndexOf(10, nul) + 1);
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
