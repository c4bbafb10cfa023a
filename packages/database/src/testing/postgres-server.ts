/** A real Postgres server for tests, in a temporary folder, with a socket in that folder. */
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ProgramOptions, runProgram, type StartedProgram, startProgram } from '@fettle/process';
import pg from 'pg';

/** The folder of `initdb` and `postgres`, if they are installed. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort().reverse() : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))));
}

export interface PostgresServer {
  /** A new, empty database on the server. */
  createDatabase(): Promise<string>;
  /** Ends the server and keeps its data: SIGINT shuts it down, SIGQUIT simulates a crash. */
  halt(signal: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  /** Starts it again with the same data and socket. */
  start(): Promise<void>;
  /** Makes the server refuse writes, like a demoted primary. Takes effect a moment later. */
  setReadOnly(value: 'on' | 'off'): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgres(binaries: string): Promise<PostgresServer> {
  const user = findUser();
  // Another user cannot enter a temporary folder that belongs to root.
  const folder = mkdtempSync(join(user ? '/tmp' : tmpdir(), 'fettle-postgres-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const options = { cwd: folder, environment: { PATH: process.env.PATH ?? '' }, user };
  try {
    await initialize(folder, binaries, options);
    const start = () => startIn(folder, binaries, options);
    return control(await start(), folder, start);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function initialize(folder: string, binaries: string, options: ProgramOptions): Promise<void> {
  const data = join(folder, 'data');
  const flags = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const { exitCode, stderr } = await runProgram([join(binaries, 'initdb'), ...flags], options);
  if (exitCode !== 0) throw new Error(`initdb failed: ${stderr}`);
}

async function startIn(folder: string, binaries: string, options: ProgramOptions): Promise<StartedProgram> {
  const data = join(folder, 'data');
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${folder}`,
    'fsync=off',
    // A time zone far from UTC reveals timestamps that are read or written without their offset.
    'timezone=Asia/Tokyo',
  ];
  const flags = settings.flatMap((setting) => ['-c', setting]);
  const argv = [join(binaries, 'postgres'), '-D', data, ...flags];
  const server = startProgram(argv, { ...options, stdout: 'ignore', stderr: 'ignore' });
  await waitUntilReady(server, urlOf(folder, 'postgres'));
  return server;
}

function control(
  first: StartedProgram,
  folder: string,
  start: () => Promise<StartedProgram>,
): PostgresServer {
  let server = first;
  let count = 0;
  async function halt(signal: NodeJS.Signals): Promise<void> {
    try {
      process.kill(server.pid as number, signal);
    } catch {
      // It has exited already.
    }
    await server.exited;
  }
  return {
    halt,
    start: async () => {
      server = await start();
    },
    createDatabase: async () => {
      const name = `test_${++count}`;
      await run(urlOf(folder, 'postgres'), `CREATE DATABASE ${name}`);
      return urlOf(folder, name);
    },
    setReadOnly: async (value) => {
      await run(urlOf(folder, 'postgres'), `ALTER SYSTEM SET default_transaction_read_only = ${value}`);
      await run(urlOf(folder, 'postgres'), 'SELECT pg_reload_conf()');
    },
    stop: async () => {
      await halt('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function urlOf(folder: string, database: string): string {
  return `postgres://postgres@localhost/${database}?host=${folder}`;
}

export async function run(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function waitUntilReady(server: StartedProgram, url: string): Promise<void> {
  let hasExited = false;
  void server.exited.then(() => {
    hasExited = true;
  });
  for (let tries = 0; tries < 200; tries++) {
    if (hasExited) throw new Error(`postgres exited with code ${(await server.exited).exitCode}`);
    try {
      await run(url, 'SELECT 1');
      return;
    } catch {
      await sleep(50);
    }
  }
  await server.stop();
  throw new Error('postgres did not become ready');
}

/** Postgres refuses to run as root. */
function findUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  const line = ['postgres', 'nobody']
    .map((name) => lines.find((entry) => entry.startsWith(`${name}:`)))
    .find(Boolean);
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined)
    throw new Error('there is no unprivileged user to run postgres');
  return { uid: Number(uid), gid: Number(gid) };
}
