/**
 * The table of methods. A module is loaded on first use, or right after the hello at the latest: it takes about a millisecond
 * to load, and the host need not wait for that.
 */
import type { Method, Requests } from '../protocol/requests.ts';
import type { Call } from './serve.ts';
import type { Toolbox } from './toolbox.ts';

export type Handler<M extends Method> = (
  toolbox: Toolbox,
  params: Requests[M]['params'],
  call: Call,
) => Promise<Requests[M]['result']>;

const loaders: { [M in Method]: () => Promise<Handler<M>> } = {
  receiveTree: async () => (await import('./tree/receive-tree.ts')).receiveTree,
  changes: async () => (await import('./changes/hand-out-changes.ts')).handOutChanges,
  adoptChanges: async () => (await import('./changes/hand-out-changes.ts')).adoptChanges,
  readFile: async () => (await import('./files/read-file.ts')).readFile,
  writeFile: async () => (await import('./files/write-file.ts')).writeFile,
  deleteFile: async () => (await import('./files/delete-file.ts')).deleteFile,
  statFile: async () => (await import('./files/stat-file.ts')).statFile,
  listDirectory: async () => (await import('./files/list-directory.ts')).listDirectory,
  findFiles: async () => (await import('./files/find-files.ts')).findFiles,
  searchText: async () => (await import('./search/search-text.ts')).searchText,
  run: async () => (await import('./run/run-command.ts')).runCommand,
  setFetchWindow: async () => (await import('./registries/fetch-methods.ts')).setFetchWindow,
  nextFetch: async () => (await import('./registries/fetch-methods.ts')).nextFetch,
  answerFetch: async () => (await import('./registries/fetch-methods.ts')).answerFetch,
};
/** A cache, because even importing a loaded module again takes time. */
const loaded = new Map<string, Handler<Method>>();

export async function findMethod(name: string): Promise<Handler<Method> | undefined> {
  const known = loaded.get(name);
  if (known || !Object.hasOwn(loaders, name)) return known;
  const handler = (await loaders[name as Method]()) as Handler<Method>;
  loaded.set(name, handler);
  return handler;
}

export async function loadMethods(): Promise<void> {
  await Promise.all(Object.keys(loaders).map(findMethod));
}
