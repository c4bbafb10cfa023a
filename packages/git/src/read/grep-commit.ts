import { runGit } from '../process/git-process.ts';
import { assertObjectId } from '../process/names.ts';

export interface GrepOptions {
  mirror: string;
  commit: string;
  /** One line of plain text. Passed by standard input, because other users can read arguments. */
  line: string;
}

/** The files of a commit that contain the text in one of their lines. */
export async function grepCommit({ mirror, commit, line }: GrepOptions): Promise<string[]> {
  assertObjectId(commit);
  if (line === '' || /[\n\0]/.test(line)) return [];
  const args = ['grep', '-l', '-z', '-I', '--fixed-strings', '--no-recurse-submodules', '-f', '-', commit];
  const { stdout } = await runGit({ gitDir: mirror, args, input: `${line}\n`, exitCodes: [0, 1] });
  return stdout
    .toString()
    .split('\0')
    .slice(0, -1)
    .map((name) => name.slice(commit.length + 1));
}
