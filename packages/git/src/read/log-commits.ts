import { runGit } from '../process/git-process.ts';
import { assertObjectId } from '../process/names.ts';
import type { Identity } from '../write/identity.ts';

export interface LoggedCommit {
  oid: string;
  subject: string;
  author: Identity;
  dateSeconds: number;
}

export interface LogOptions {
  mirror: string;
  commit: string;
  /** Leaves out the commits that this one contains. */
  except?: string;
  path?: string | undefined;
  max: number;
}

const format = ['%H', '%s', '%an', '%ae', '%at'].join('%x00');

/** The commits of the whole tree or of one path, newest first. */
export async function logCommits({ mirror, commit, except, path, max }: LogOptions): Promise<LoggedCommit[]> {
  assertObjectId(commit);
  if (except !== undefined) assertObjectId(except);
  const limit = `--max-count=${Math.max(0, Math.trunc(max))}`;
  // The path is a name, not a pattern.
  const log = ['--literal-pathspecs', 'log', '-z', limit, '--no-mailmap', '--no-color', `--format=${format}`];
  const revisions = except === undefined ? [commit] : [commit, `^${except}`];
  const args = [...log, ...revisions, '--', ...(path === undefined ? [] : [path])];
  const { stdout } = await runGit({ gitDir: mirror, args });
  const fields = stdout.toString().split('\0');
  const commits: LoggedCommit[] = [];
  for (let index = 0; index + 4 < fields.length; index += 5) {
    const [oid = '', subject = '', name = '', email = '', date] = fields.slice(index, index + 5);
    commits.push({ oid, subject, author: { name, email }, dateSeconds: Number(date) });
  }
  return commits;
}
