import type { History } from '@fettle/agent';
import type { WithheldFile } from '@fettle/check-run';
import { diffCommits, GitError, logCommits, readBlobAt } from '@fettle/git';

const maxFileBytes = 10_000_000;
const maxDiffBytes = 1_000_000;

interface HistoryOptions {
  mirror: string;
  base: string;
  head(): string;
  withheld: readonly WithheldFile[];
}

/** The data behind the agent's git tools, read from the worker's mirror. */
export function createHistory({ mirror, base, head, withheld }: HistoryOptions): History {
  return {
    async baseFile(path) {
      const placeholder = withheld.find((file) => file.path === path);
      if (placeholder) return { bytes: placeholder.bytes, executable: placeholder.executable };
      const file = await readBlobAt(mirror, base, path, { maxBytes: maxFileBytes });
      // Not undefined, which would mean that the base has no such file and that a reset deletes it.
      if (file.kind === 'too_large')
        throw new GitError('too_large', `${path} is larger than ${maxFileBytes} bytes.`);
      return file.kind === 'blob' ? { bytes: file.bytes, executable: file.executable } : undefined;
    },
    async changedFiles() {
      const { files } = await diffCommits({ mirror, from: base, to: head(), maxBytes: 0 });
      return files.map(({ path, status }) => ({ path, status }));
    },
    async diff() {
      return (await diffCommits({ mirror, from: base, to: head(), maxBytes: maxDiffBytes })).text;
    },
    async log({ max, path }) {
      const commits = await logCommits({ mirror, commit: base, max, path });
      return commits.map(({ oid, subject, author, dateSeconds }) => ({
        oid,
        subject,
        author: author.name,
        date: new Date(dateSeconds * 1000).toISOString().slice(0, 10),
      }));
    },
  };
}
