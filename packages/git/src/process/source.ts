/** The address to fetch from or push to: a URL, or a folder on this machine. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GitError } from './git-error.ts';
import { type Service, servingCommand } from './git-settings.ts';

export interface Source {
  kind: 'local' | 'remote';
  /** The address for git's command line. */
  address: string;
}

export async function openSource(text: string): Promise<Source> {
  const source = parseSource(text);
  if (source.kind === 'local') await assertFolder(source.address);
  return source;
}

function parseSource(text: string): Source {
  if (text === '' || text.startsWith('-') || text.includes('\0')) throw badSource();
  // Git runs the program git-remote-name for `name::address`.
  if (/^[\w+.-]+::/.test(text)) throw badSource();
  if (/^file:\/\//i.test(text)) return { kind: 'local', address: fileURLToPath(text) };
  if (/^[\w+.-]+:\/\//.test(text)) return { kind: 'remote', address: checkUrl(text) };
  if (/^[\w.-]+@[\w.-]+:[^:]/.test(text)) return { kind: 'remote', address: text };
  return { kind: 'local', address: resolve(text) };
}

/** Makes the serving side of a local transport use our settings instead of its own config. */
export function servingOption(source: Source, service: Service): string[] {
  const program = service === 'upload-pack' ? service : 'receive-pack';
  return source.kind === 'local' ? [`--${program}=${servingCommand(service)}`] : [];
}

function checkUrl(text: string): string {
  const url = URL.parse(text);
  if (!url) throw badSource();
  if (url.password !== '' || (url.username !== '' && url.protocol !== 'ssh:')) {
    throw new GitError(
      'bad_source',
      'The address contains credentials, which would show in process lists. Pass the token separately.',
    );
  }
  return text;
}

async function assertFolder(path: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (!(found instanceof Error)) {
    if (found.isDirectory()) return;
    throw new GitError('not_a_repository', `${path} is a file, not a repository.`);
  }
  const gone = found.code === 'ENOENT' || found.code === 'ENOTDIR';
  throw new GitError(
    'unreachable',
    gone ? `The folder ${path} does not exist.` : `The folder ${path} cannot be read: ${found.code}.`,
    { detail: found.message },
  );
}

function badSource(): GitError {
  return new GitError('bad_source', 'The address is not a folder and not an https or ssh URL.');
}
