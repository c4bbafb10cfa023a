import { runGit } from '../process/git-process.ts';
import { type Source, servingOption } from '../process/source.ts';

export interface RemoteRefs {
  /** The branch that HEAD points to. Undefined for a detached HEAD and for a branch without commits. */
  headBranch: string | undefined;
  headCommit: string | undefined;
  heads: Map<string, string>;
}

/** How to reach the other repository. */
export interface Transport {
  gitDir: string;
  source: Source;
  env: Record<string, string>;
  protocols: readonly string[] | undefined;
  signal: AbortSignal | undefined;
  timeoutMs: number | undefined;
}

export async function listRemote({ gitDir, source, ...rest }: Transport): Promise<RemoteRefs> {
  const { stdout } = await runGit({
    ...rest,
    gitDir,
    network: source.kind === 'remote',
    args: ['ls-remote', '--symref', ...servingOption(source, 'upload-pack'), '--', source.address],
  });
  return parseRefs(stdout.toString());
}

function parseRefs(text: string): RemoteRefs {
  const refs: RemoteRefs = { headBranch: undefined, headCommit: undefined, heads: new Map() };
  for (const line of text.split('\n')) {
    const [value = '', name = ''] = line.split('\t');
    if (name.startsWith('refs/heads/')) refs.heads.set(name.slice('refs/heads/'.length), value);
    else if (name !== 'HEAD') continue;
    else if (value.startsWith('ref: refs/heads/')) refs.headBranch = value.slice('ref: refs/heads/'.length);
    else refs.headCommit = value;
  }
  return refs;
}
