import { findEntry, listEntries, readBlob, type TreeItem } from '../git/tree.ts';
import { notFound } from '../http/api-error.ts';
import { type Endpoint, ok, repositoryRoute } from '../http/endpoint.ts';
import { repositoryPage, repositoryUrl } from '../shapes/repository.ts';
import type { Repository } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { requireCommit } from './commits.ts';

export const contentEndpoints: Endpoint[] = [
  repositoryRoute({
    method: 'GET',
    path: '/contents/{path}',
    needs: { contents: 'read' },
    run: async ({ place: { world, repository }, params: { path = '' }, query }) => {
      const ref = query.ref ?? repository.defaultBranch;
      const commit = await requireCommit(repository, ref);
      const entry = await findEntry(repository.folder, commit, path.replace(/\/$/, ''));
      if (!entry) throw notFound();
      const at = { world, repository, ref };
      if (entry.type !== 'tree') {
        const content = (await readBlob(repository.folder, entry.sha)).toString('base64');
        const lines = content.replace(/.{60}(?=.)/g, '$&\n');
        return ok({ ...entryShape(at, entry), encoding: 'base64', content: `${lines}\n` });
      }
      const inside = await listEntries(repository.folder, entry.sha);
      const prefix = entry.path === '' ? '' : `${entry.path}/`;
      return ok(inside.map((each) => entryShape(at, { ...each, path: `${prefix}${each.path}` })));
    },
  }),
];

const types = { blob: 'file', tree: 'dir', commit: 'submodule' } as const;

function entryShape(
  { world, repository, ref }: { world: World; repository: Repository; ref: string },
  { path, sha, size, type }: TreeItem,
) {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const base = repositoryUrl(world, repository);
  const page = repositoryPage(world, repository);
  const url = `${base}/contents/${encoded}?ref=${encodeURIComponent(ref)}`;
  const git = `${base}/git/${type === 'tree' ? 'trees' : 'blobs'}/${sha}`;
  const html = `${page}/${type === 'tree' ? 'tree' : 'blob'}/${ref}/${encoded}`;
  return {
    name: path.split('/').at(-1) ?? '',
    path,
    sha,
    size,
    url,
    html_url: html,
    git_url: git,
    download_url: type === 'blob' ? `${page}/raw/${ref}/${encoded}` : null,
    type: types[type],
    _links: { self: url, git, html },
  };
}
