import type { FastifyInstance, FastifyReply } from 'fastify';
import { acceptManifest, manifestSchema } from '../app/manifests.ts';
import { createInstallation } from '../changes/installations.ts';
import { notFound } from '../http/api-error.ts';
import { requireAccount } from '../state/find.ts';
import type { Account } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { html } from './layout.ts';
import { sendPage } from './send-page.ts';

/** The manifest flow: the form of the tool posts a manifest, and a person confirms it. */
export function serveAppForms(app: FastifyInstance, world: World): void {
  const confirm = (
    reply: FastifyReply,
    text: string | undefined,
    state: string | undefined,
    owner: string,
  ) => {
    const parsed = manifestSchema.safeParse(parseJson(text));
    if (!parsed.success) {
      const problems = parsed.error.issues.map(
        (each) => html`<li>${each.path.join('.')}: ${each.message}</li>`,
      );
      return sendPage(
        reply.code(422),
        'Invalid manifest',
        html`<h1>Invalid GitHub App configuration</h1><ul>${problems}</ul>`,
      );
    }
    const { name, default_permissions, default_events, hook_attributes } = parsed.data;
    const permissions = Object.entries(default_permissions).map(
      ([each, level]) => html`<li>${each}: ${level}</li>`,
    );
    return sendPage(
      reply,
      'Create GitHub App',
      html`<h1>Create GitHub App for ${owner}</h1>
<p><b>${name}</b></p><h2>Permissions</h2><ul>${permissions}</ul>
<h2>Events</h2><p>${default_events.join(', ')}</p>
<p class="quiet">Webhook: ${hook_attributes?.url ?? 'none'}</p>
<form method="post" action="/settings/apps/create">
<input type="hidden" name="manifest" value="${text}"><input type="hidden" name="state" value="${state}">
<input type="hidden" name="owner" value="${owner}"><button>Create GitHub App for ${owner}</button></form>`,
    );
  };
  interface FormRequest {
    Params: { org?: string };
    Querystring: { state?: string; manifest?: string };
    Body: { manifest?: string } | undefined;
  }
  for (const path of ['/settings/apps/new', '/organizations/:org/settings/apps/new'])
    app.post<FormRequest>(path, ({ params, query, body }, reply) =>
      confirm(reply, body?.manifest, query.state, params.org ?? firstPerson(world).login),
    );
  app.post<{ Body: { manifest: string; state: string; owner: string } }>(
    '/settings/apps/create',
    async ({ body }, reply) => {
      const manifest = manifestSchema.parse(parseJson(body.manifest));
      const code = await acceptManifest(world, manifest, requireAccount(world, body.owner));
      if (manifest.redirect_url === undefined)
        return sendPage(reply, 'Created', html`<h1>${manifest.name} was created</h1>`);
      const target = new URL(manifest.redirect_url);
      target.searchParams.set('code', code);
      if (body.state !== '') target.searchParams.set('state', body.state);
      return reply.redirect(target.href, 302);
    },
  );
  serveInstallForm(app, world);
}

function serveInstallForm(app: FastifyInstance, world: World): void {
  interface SlugRequest {
    Params: { slug: string };
    Body: { owner: string };
  }
  const requireSlug = (slug: string) => {
    const found = world.apps.find((each) => each.slug === slug);
    if (!found) throw notFound();
    return found;
  };
  app.get<SlugRequest>('/apps/:slug', ({ params }, reply) => {
    const { name, slug, description } = requireSlug(params.slug);
    return sendPage(
      reply,
      name,
      html`<h1>${name}</h1><p>${description}</p><p><a href="/apps/${slug}/installations/new">Install</a></p>`,
    );
  });
  app.get<SlugRequest>('/apps/:slug/installations/new', ({ params }, reply) => {
    const { name, slug } = requireSlug(params.slug);
    const owners = [...new Set(world.repositories.map(({ owner }) => owner.login))];
    const forms = owners.map(
      (login) => html`<form method="post" action="/apps/${slug}/installations/new">
<input type="hidden" name="owner" value="${login}"><button>Install on all repositories of ${login}</button></form>`,
    );
    return sendPage(reply, `Install ${name}`, html`<h1>Install ${name}</h1>${forms}`);
  });
  app.post<SlugRequest>('/apps/:slug/installations/new', ({ params, body }, reply) => {
    const found = requireSlug(params.slug);
    const account = requireAccount(world, body.owner);
    const isInstalled = world.installations.some((each) => each.app === found && each.account === account);
    if (!isInstalled) createInstallation(world, found, { account, repositories: 'all' });
    return sendPage(reply, 'Installed', html`<h1>${found.name} is installed on ${account.login}</h1>`);
  });
}

/** Nobody signs in: the first user confirms the forms. */
function firstPerson(world: World): Account {
  const person = [...world.accounts.values()].find(({ type }) => type === 'User');
  if (!person) throw notFound();
  return person;
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
