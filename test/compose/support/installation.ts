/** An installation of Fettle from the files of this repository, with a simulated model. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { git } from '../../support/repository.ts';
import { engineSocket, type RunOptions, run, runInNetwork } from './engine.ts';

const workspace = join(import.meta.dirname, '../../..');
const machineCa = '/etc/ssl/certs/ca-certificates.crt';
const filesToRead = 12;

export const modelKey = 'sk-the-model-key-of-the-test';

export type Installation = ReturnType<typeof openInstallation>;

export interface Operation {
  id: string;
  state: string;
  outcome?: { kind: string; branch?: string } | null;
}

/** Copies the repository's files, as a clone has them, into a temporary folder. */
export function openInstallation({ project, version }: { project: string; version: string }) {
  const folder = mkdtempSync(join(tmpdir(), 'compose-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: workspace,
  });
  for (const path of listed.toString('utf8').split('\0').filter(Boolean)) {
    if (!existsSync(join(workspace, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(workspace, path), join(folder, path));
  }
  for (const name of ['secrets', 'conversations']) mkdirSync(join(folder, name));
  if (existsSync(machineCa)) copyFileSync(machineCa, join(folder, 'secrets/ca.pem'));
  writeFileSync(join(folder, 'conversations/fix.json'), JSON.stringify(readAndRepair()));
  const origin = join(folder, 'origin');
  makeRepository(origin);

  const environment = {
    COMPOSE_PROJECT_NAME: project,
    FETTLE_VERSION: version,
    COMPOSE_FILE: 'docker-compose.yml:test/compose/support/model.yml',
    DOCKER_SOCKET: engineSocket,
    FETTLE_EGRESS_HOSTS: 'model,*',
    ANTHROPIC_BASE_URL: 'http://model:8080',
    // Less patience than by default, so that lost workers are noticed soon.
    FETTLE_MAX_ATTEMPTS: '20',
    ...(existsSync(machineCa) && { FETTLE_CA_FILE: './secrets/ca.pem' }),
  };
  const inFolder = (options?: RunOptions) => ({
    cwd: folder,
    ...options,
    environment: { ...environment, ...options?.environment },
  });
  const docker = (...argv: string[]) => run(['docker', ...argv], inFolder());
  const compose = (...argv: string[]) => docker('compose', ...argv);

  async function request(method: string, path: string, body?: unknown): Promise<unknown> {
    const token = (await compose('exec', '-T', 'api', 'cat', '/data/admin-token')).trim();
    const answer = await runInNetwork([
      ...['curl', '--silent', '--show-error', '--max-time', '20', '--request', method],
      ...['--header', `Authorization: Bearer ${token}`, '--header', 'Content-Type: application/json'],
      ...(body === undefined ? [] : ['--data', JSON.stringify(body)]),
      `http://127.0.0.1:4747/v1${path}`,
    ]);
    return JSON.parse(answer);
  }

  return {
    folder,
    environment,
    docker,
    compose,
    /** Runs commands as a user does who follows the docs: with the model key as input, and a repository to clone. */
    async follow(commands: string): Promise<string> {
      const programs = join(folder, 'programs');
      mkdirSync(programs);
      writeFileSync(join(programs, 'sudo'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
      const clone = {
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: `url.${origin}.insteadOf`,
        GIT_CONFIG_VALUE_0: 'https://git.example.com/team/shop.git',
      };
      const script = `PATH=${programs}:$PATH\n${commands}`;
      const options = inFolder({ environment: clone, input: `${modelKey}\n` });
      return runInNetwork(['bash', '-euc', script], options);
    },
    list: async () => ((await request('GET', '/operations')) as { operations: Operation[] }).operations,
    shell: (script: string, options?: RunOptions) => run(['bash', '-euc', script], inFolder(options)),
    create: (description: string) =>
      request('POST', '/operations', {
        kind: 'fix',
        description,
        repository: '/repositories/shop',
      }) as Promise<Operation>,
    find: (id: string) => request('GET', `/operations/${id}`) as Promise<Operation>,
    branches: () =>
      git(
        join(folder, 'repositories/shop'),
        '-c',
        'safe.directory=*',
        'branch',
        '--list',
        '--format=%(refname:short)',
        'agent/*',
      )
        .split('\n')
        .filter(Boolean),
    async remove(): Promise<void> {
      await compose('down', '--volumes', '--timeout', '5');
      const images = (await compose('config', '--images'))
        .split('\n')
        .filter((name) => name.endsWith(version));
      await docker('rmi', '--force', ...images);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Reads file after file, so that there is time to break something, and repairs the sum. */
function readAndRepair() {
  const reads = Array.from({ length: filesToRead }, (_, n) =>
    turn(call('read_file', { path: `notes/${n}.md` })),
  );
  const repair = turn(call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a - b', new: 'a + b' }] }));
  return conversation('fix', [...reads, repair, turn(say('The sum is right now.'))]);
}

function makeRepository(folder: string): void {
  mkdirSync(join(folder, 'notes'), { recursive: true });
  mkdirSync(join(folder, '.fettle'));
  const files = {
    'sum.mjs': 'export const add = (a, b) => a - b;\n',
    'sum.test.mjs':
      "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { add } from './sum.mjs';\n\ntest('adds', () => assert.equal(add(2, 3), 5));\n",
    '.fettle/config.yml': 'commands:\n  test: node --test\n',
    ...Object.fromEntries(Array.from({ length: filesToRead }, (_, n) => [`notes/${n}.md`, `Note ${n}.\n`])),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'first');
}

/** The commands in the shell blocks of a section. */
export function readCommands(page: string, heading: string): string {
  const text = readFileSync(join(workspace, page), 'utf8');
  const section = text.slice(text.indexOf(`\n${heading}`) + 1).split(/\n## /)[0] ?? '';
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join('');
}
