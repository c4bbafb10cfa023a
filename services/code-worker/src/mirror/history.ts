import type { History } from '@fettle/agent';
import { diffCommits, logCommits, readBlobAt } from '@fettle/git';

const fileBytes = 10_000_000;
const diffBytes = 1_000_000;

/** What the agent's git tools show, read from the worker's own repository. */
export function createHistory({
  mirror,
  base,
  head,
}: {
  mirror: string;
  base: string;
  head(): string;
}): History {
  return {
    async baseFile(path) {
      const blob = await readBlobAt(mirror, base, path, { maxBytes: fileBytes });
      return blob && !blob.symlink ? { bytes: blob.bytes, executable: blob.executable } : undefined;
    },
    async changedFiles() {
      const { files } = await diffCommits({ mirror, from: base, to: head(), maxBytes: 0 });
      return files.map(({ path, status }) => ({ path, status }));
    },
    async diff() {
      return (await diffCommits({ mirror, from: base, to: head(), maxBytes: diffBytes })).text;
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
