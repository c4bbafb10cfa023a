/** Parses the pack of changed files, within the requested limits. */
import { createChangePackParser } from '../protocol/change-pack.ts';
import { createGrowingBuffer } from '../protocol/growing-buffer.ts';
import { findTargetFault } from '../protocol/link-target.ts';
import { SandboxError } from '../protocol/sandbox-error.ts';
import { type ChangeHeader, changeHeaderSchema } from '../protocol/schemas.ts';
import { findPathFault, show, touchesGitFolder } from '../protocol/workspace-path.ts';

export interface Change extends ChangeHeader {
  size: number;
  /** The file's content, or the text of a symbolic link's target; empty for a deleted file. */
  bytes: Buffer;
}

export interface ChangeLimits {
  maxFiles: number;
  maxBytes: number;
}

export function createChangeReceiver({ maxFiles, maxBytes }: ChangeLimits) {
  const changes: Change[] = [];
  const seen = new Set<string>();
  let header: ChangeHeader | undefined;
  let content = createGrowingBuffer(maxBytes);
  let totalBytes = 0;

  const parser = createChangePackParser({
    onHeader(value) {
      header = changeHeaderSchema.parse(value);
      const fault = findPathFault(header.path);
      if (fault !== undefined || touchesGitFolder(header.path))
        throw new Error(`invalid path ${show(header.path)}`);
      if (seen.has(header.path)) throw new Error(`${show(header.path)} appears twice`);
      seen.add(header.path);
      if (seen.size > maxFiles) throw new Error(`more than ${maxFiles} files`);
    },
    onContent(bytes) {
      totalBytes += bytes.length;
      if (totalBytes > maxBytes) throw new Error(`more than ${maxBytes} bytes`);
      content.fill(bytes);
    },
    onEntryEnd() {
      if (header === undefined) return;
      // A copy of the exact size.
      const bytes = Buffer.from(content.content());
      if (header.kind === 'deleted' && bytes.length > 0) throw new Error('a deleted file has content');
      const fault = header.kind === 'symlink' && findTargetFault(header.path, bytes.toString('utf8'));
      if (fault) throw new Error(`${show(header.path)} ${fault}`);
      changes.push({ ...header, size: bytes.length, bytes });
      content = createGrowingBuffer(maxBytes);
    },
  });

  function orMalformed<T>(action: () => T): T {
    try {
      return action();
    } catch (cause) {
      const detail = cause instanceof Error ? cause.message.slice(0, 300) : '';
      throw new SandboxError('malformed', `the toolbox sent an invalid change pack: ${detail}`, {
        cause,
      });
    }
  }

  return {
    changes,
    push: (chunk: Buffer): void => orMalformed(() => parser.push(chunk)),
    finish: (): void =>
      orMalformed(() => {
        parser.finish();
        rejectFilesInFiles(changes);
      }),
  };
}

/** A path cannot be both a file and a folder: which one wins would depend on their order. When sorted, a folder comes right before its contents. */
function rejectFilesInFiles(changes: Change[]): void {
  const files = changes.filter(({ kind }) => kind !== 'deleted').map(({ path }) => `${path}/`);
  files.sort().forEach((file, index) => {
    const next = files[index + 1];
    if (next?.startsWith(file)) throw new Error(`${show(file)} and ${show(next)} are both files`);
  });
}
