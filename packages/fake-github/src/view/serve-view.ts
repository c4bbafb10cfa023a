/** Pages for people: repositories, issues, pull requests, and the forms for Apps. Anyone may read them. */
import type { FastifyInstance } from 'fastify';
import { ApiError, notFound } from '../http/api-error.ts';
import { findRepository, fullName, requireIssue } from '../state/find.ts';
import type { Repository } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { serveAppForms } from './app-forms.ts';
import { renderIssue, stateOf } from './issue-view.ts';
import { type Html, html } from './layout.ts';
import { sendHtml, sendPage } from './send-page.ts';

interface IssueParams {
  Params: { owner: string; repo: string; number: string };
}

export function serveView(app: FastifyInstance, world: World): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof ApiError)) throw error;
    return sendPage(reply.code(error.status), 'Not found', html`<h1>${error.message}</h1>`);
  });
  app.get('/', (_request, reply) => sendPage(reply, 'Repositories', listRepositories(world)));
  app.get<IssueParams>('/:owner/:repo', (request, reply) => {
    const repository = requireNamed(world, request.params);
    return sendPage(reply, fullName(repository), renderRepository(world, repository));
  });
  for (const kind of ['issues', 'pull'] as const)
    app.get<IssueParams>(`/:owner/:repo/${kind}/:number`, async (request, reply) => {
      const repository = requireNamed(world, request.params);
      const issue = requireIssue(repository, Number(request.params.number));
      return sendHtml(reply, await renderIssue(world, repository, issue));
    });
  serveAppForms(app, world);
}

function requireNamed(world: World, { owner, repo }: { owner: string; repo: string }): Repository {
  const repository = findRepository(world, `${owner}/${repo}`);
  if (!repository) throw notFound();
  return repository;
}

function listRepositories({ repositories }: World): Html {
  const items = repositories.map((each) => html`<li><a href="/${fullName(each)}">${fullName(each)}</a></li>`);
  return html`<h1>Repositories</h1><ul>${items}</ul>`;
}

function renderRepository(world: World, repository: Repository): Html {
  const name = fullName(repository);
  const rows = [...repository.issues.values()].reverse().map(
    (
      issue,
    ) => html`<li>${stateOf(issue)} <a href="/${name}/${issue.pull ? 'pull' : 'issues'}/${issue.number}">${issue.title}</a>
<span class="quiet">#${issue.number} by ${issue.author.account.login}</span></li>`,
  );
  return html`<h1>${name}</h1><p>${repository.description}</p>
<pre>git clone ${world.url}/${name}.git</pre>
<h2>Issues and pull requests</h2>${rows.length === 0 ? html`<p class="quiet">None yet.</p>` : html`<ul class="plain">${rows}</ul>`}`;
}
