/** Examines everything that Fettle needs on this machine. */
import { accessSync, constants, existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '@fettle/process';
import type { Config } from '../../config.ts';
import { findProgram } from '../../process/find-program.ts';
import { wantsBroker } from '../../stack/embedded-broker.ts';
import { findTools } from '../../stack/embedded-redis.ts';
import type { Diagnosis } from './diagnosis.ts';
import { examineAddress } from './examine-address.ts';
import { examineGithub } from './examine-github.ts';
import { examineGitleaks } from './examine-gitleaks.ts';
import { examineKernel } from './examine-kernel.ts';
import { examineSandboxes } from './examine-sandbox.ts';
import { examineServer } from './examine-server.ts';
import { examineSettings } from './examine-settings.ts';

export async function examine(config: Config): Promise<Diagnosis[]> {
  const hasWorker = isInstalled('code-worker');
  const hasBroker = isInstalled('sandbox-broker') && wantsBroker(config);
  const diagnoses = await Promise.all([
    { name: 'Node', state: 'ok', message: process.version } satisfies Diagnosis,
    hasWorker ? examineWorkerNeeds(config) : [],
    examineRedis(config),
    examineHome(config),
    isInstalled('api') ? examineServer(config) : [],
    examineModel(config),
    isInstalled('api') ? examineGithub(config) : [],
    examineNames(config),
    isInstalled('api') ? examineSettings(config, 'api') : [],
    hasWorker ? examineSettings(config, 'worker') : [],
    hasBroker ? examineSettings(config, 'broker') : [],
    examineAddress('REDIS_URL', config.redisUrl),
    isInstalled('api') ? examineAddress('DATABASE_URL', config.databaseUrl) : [],
  ]);
  return diagnoses.flat();
}

/** The images of Compose have one service each, and need nothing for the others. */
function isInstalled(service: 'api' | 'code-worker' | 'sandbox-broker'): boolean {
  return existsSync(join(import.meta.dirname, '../../../../../services', service, 'src'));
}

async function examineWorkerNeeds(config: Config): Promise<Diagnosis[]> {
  const slower = { name: 'ripgrep', program: 'rg', without: 'searches are slower without it' };
  const diagnoses = await Promise.all([
    examineGit(config),
    config.sandbox === 'docker' ? [] : examineOptional(config, slower),
    examineGitleaks(config),
    examineKernel(),
    examineSandboxes(config),
  ]);
  return diagnoses.flat();
}

async function examineGit({ searchPath }: Config): Promise<Diagnosis> {
  const git = findProgram('git', searchPath);
  if (git) return { name: 'git', state: 'ok', message: await readVersion(git, searchPath) };
  const advice = "Install it with your package manager, for example 'apt-get install git'.";
  return { name: 'git', state: 'problem', message: 'not found on the PATH', advice };
}

async function examineOptional(
  { searchPath }: Config,
  { name, program, without }: { name: string; program: string; without: string },
): Promise<Diagnosis> {
  const found = findProgram(program, searchPath);
  if (found) return { name, state: 'ok', message: await readVersion(found, searchPath) };
  return { name, state: 'warning', message: `not found; ${without}` };
}

/** Returns the first line that the program prints for --version. */
async function readVersion(program: string, searchPath: string): Promise<string> {
  const environment = { PATH: searchPath };
  const { exitCode, stdout } = await runProgram([program, '--version'], { environment, timeoutMs: 5_000 });
  if (exitCode !== 0) return `${program} does not print its version`;
  return stdout.toString('utf8').split('\n')[0]?.trim() ?? program;
}

async function examineRedis(config: Config): Promise<Diagnosis> {
  const name = 'redis-server';
  const { redisUrl, searchPath } = config;
  if (redisUrl !== undefined) return { name, state: 'ok', message: 'not needed: REDIS_URL is set' };
  const fetched = join(findTools(config), 'tools', 'redis', 'bin');
  const found = findProgram('redis-server', `${searchPath}:${fetched}`);
  if (found) return { name, state: 'ok', message: found };
  const canFetch = findProgram('apt-get', searchPath) !== undefined;
  const advice = "Run 'npm run setup', install redis-server with your package manager, or set REDIS_URL.";
  return { name, state: canFetch ? 'warning' : 'problem', message: 'not found', advice };
}

export function examineNames({ unknownSettings }: Config): Diagnosis[] {
  if (unknownSettings.length === 0) return [];
  const message = `${unknownSettings.join(', ')}: no setting has this name, so it has no effect`;
  return [
    { name: 'setting names', state: 'warning', message, advice: 'See docs/settings.md for the names.' },
  ];
}

async function examineHome({ home }: Config): Promise<Diagnosis> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    accessSync(home, constants.W_OK | constants.X_OK);
    return { name: 'FETTLE_HOME', state: 'ok', message: `${home} is writable` };
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code;
    const advice = 'Set FETTLE_HOME to a folder that you can write to.';
    return { name: 'FETTLE_HOME', state: 'problem', message: `${home} is not writable (${why})`, advice };
  }
}

function examineModel({ model, modelKeys, url: server }: Config): Diagnosis {
  const { key, keyName, url, urlName, service } = model;
  const { source, path = '', exposed } = modelKeys[service];
  const name = 'model key';
  if (server !== undefined) return { name, state: 'ok', message: 'not needed: FETTLE_URL is set' };
  if (exposed) {
    const message = `other users of this machine can read ${path}`;
    return { name, state: 'warning', message, advice: `Run 'chmod 600 ${path}'.` };
  }
  const from = source === 'stored' ? `stored in ${path}` : `${keyName} is set`;
  if (key !== undefined) return { name, state: 'ok', message: from };
  if (url !== undefined) return { name, state: 'ok', message: `not set; ${urlName} is ${url}` };
  const advice = `Run 'fettle model login', or set ${keyName} or ${keyName}_FILE; 'fettle demo' works without a key.`;
  return { name, state: 'problem', message: `${keyName} is not set`, advice };
}
