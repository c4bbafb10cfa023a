/** Git over smart HTTP, with the permissions of the token. */
import { buffer } from 'node:stream/consumers';
import { runProgram } from '@fettle/process';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { moveBranches } from '../changes/branches.ts';
import { ApiError } from '../http/api-error.ts';
import { authenticate, type Caller } from '../http/authenticate.ts';
import { canSee, judgeGit } from '../http/authorize.ts';
import { actorOf } from '../http/endpoint.ts';
import type { GitUse } from '../http/request-log.ts';
import { findMovedRepository, findRepository, fullName } from '../state/find.ts';
import type { Repository } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { gitEnvironment } from './config.ts';

type Service = GitUse['service'];

interface GitOptions {
  world: World;
  onUse: (use: GitUse) => void;
}

const maxAnswerBytes = 1024 ** 3;

export function serveGit(app: FastifyInstance, options: GitOptions): void {
  // Packs are passed on as they are.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.get<{ Params: { owner: string; repo: string }; Querystring: { service?: string } }>(
    '/:owner/:repo/info/refs',
    (request, reply) => {
      const { service } = request.query;
      if (service !== 'git-upload-pack' && service !== 'git-receive-pack')
        return reply
          .code(403)
          .send('Please upgrade your git client.\nGitHub.com no longer supports git over dumb-http.\n');
      return serve(request, reply, { ...options, service, step: 'announce' });
    },
  );
  for (const service of ['git-upload-pack', 'git-receive-pack'] as const)
    app.post<{ Params: { owner: string; repo: string } }>(`/:owner/:repo/${service}`, (request, reply) =>
      serve(request, reply, { ...options, service, step: 'transfer' }),
    );
}

async function serve(
  request: FastifyRequest,
  reply: FastifyReply,
  { world, onUse, service, step }: GitOptions & { service: Service; step: GitUse['step'] },
) {
  const params = request.params as { owner: string; repo: string };
  const name = `${params.owner}/${params.repo.replace(/\.git$/, '')}`;
  const url = new URL(request.url, world.url);
  let caller: Caller = { kind: 'anonymous' };
  const finish = (status: number) => {
    const tokenId = caller.kind === 'token' ? caller.token.id : undefined;
    onUse({ tokenId, repository: name, service, step, status });
  };
  const refuse = (status: number, message: string) => {
    finish(status);
    if (status === 401) reply.header('www-authenticate', 'Basic realm="GitHub"');
    return reply.code(status).type('text/plain').send(`${message}\n`);
  };
  try {
    caller = authenticate(world, request.headers.authorization);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return refuse(
      401,
      'Invalid username or token. Password authentication is not supported for Git operations.',
    );
  }
  request.githubCaller = caller;
  const repository = findRepository(world, name) ?? findMovedRepository(world, name);
  if (!repository || !canSee(caller, repository))
    return caller.kind === 'anonymous'
      ? refuse(401, 'Repository not found.')
      : refuse(404, 'Repository not found.');
  if (fullName(repository).toLowerCase() !== name.toLowerCase()) {
    finish(301);
    return reply.redirect(
      `/${fullName(repository)}.git${url.pathname.replace(/^\/[^/]+\/[^/]+/, '')}${url.search}`,
      301,
    );
  }
  const verdict = judgeGit(caller, repository, service === 'git-receive-pack' ? 'write' : 'read');
  if (!verdict.allowed)
    return caller.kind === 'anonymous'
      ? refuse(401, 'Authentication required.')
      : refuse(
          verdict.error.status,
          service === 'git-receive-pack' ? 'Write access to repository not granted.' : verdict.error.message,
        );
  const actor = actorOf(caller);
  const run = () =>
    runBackend(request, repository, { caller, mayChangeWorkflows: verdict.mayChangeWorkflows });
  const isPush = service === 'git-receive-pack' && step === 'transfer' && actor;
  const output = await (isPush ? moveBranches({ world, repository, actor }, run) : run());
  finish(output.status);
  return reply.code(output.status).headers(output.headers).send(output.body);
}

async function runBackend(
  request: FastifyRequest,
  repository: Repository,
  { caller, mayChangeWorkflows }: { caller: Caller; mayChangeWorkflows: boolean },
) {
  const url = new URL(request.url, 'http://localhost');
  const isProtected = [...repository.protectedBranches].filter(([, rule]) => rule.requiresPullRequest);
  const { stdout } = await runProgram(['git', 'http-backend'], {
    environment: {
      ...gitEnvironment(),
      GIT_PROJECT_ROOT: repository.folder,
      GIT_HTTP_EXPORT_ALL: '1',
      // Enables pushes without `http.receivepack`.
      ...(caller.kind === 'token' && { REMOTE_USER: caller.token.account.login }),
      PATH_INFO: url.pathname.replace(/^\/[^/]+\/[^/]+/, ''),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
      HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      FAKE_PROTECTED_BRANCHES: isProtected.map(([branch]) => branch).join(' '),
      FAKE_WORKFLOWS: mayChangeWorkflows ? 'allowed' : 'denied',
    },
    input: request.method === 'POST' ? await buffer(request.body as NodeJS.ReadableStream) : undefined,
    maxBytes: maxAnswerBytes,
  });
  return parseCgi(stdout);
}

function parseCgi(output: Buffer) {
  const end = output.indexOf('\r\n\r\n');
  const headers: Record<string, string> = {};
  for (const line of output.toString('latin1', 0, end).split('\r\n')) {
    const [name = '', value = ''] = line.split(': ');
    headers[name.toLowerCase()] = value;
  }
  const { status: statusLine = '200', ...others } = headers;
  return { status: Number.parseInt(statusLine, 10), headers: others, body: output.subarray(end + 4) };
}
