/** Platforms, repositories and servers that end with the test that opens them, or with its file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished, TestRunner } from 'vitest';
import { findPostgres, startPostgres } from '../../packages/database/src/testing/postgres-server.ts';
import { type Platform, type PlatformOptions, startPlatform } from './platform.ts';
import { makeRepository, type TestRepository } from './repository.ts';
import type { Environment, ServiceProcess } from './service-process.ts';

const endings: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

/** Runs at the end of the current test. Outside of tests: at the end of the file. */
export function atEnd(end: () => unknown): void {
  if (TestRunner.getCurrentTest() === undefined) endings.push(end);
  else onTestFinished(async () => void (await end()));
}

export async function openPlatform(options: PlatformOptions): Promise<Platform> {
  const platform = await startPlatform(options);
  atEnd(platform.close);
  return platform;
}

/** One that a failed test leaves must not take the operations of the next test. */
export async function openWorker(platform: Platform, settings?: Environment): Promise<ServiceProcess> {
  const worker = await platform.startWorker(settings);
  atEnd(worker.kill);
  return worker;
}

/** A new folder for temporary files. */
export function openFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export function openRepository(...given: Parameters<typeof makeRepository>): TestRepository {
  const repository = makeRepository(...given);
  atEnd(repository.remove);
  return repository;
}

/** Undefined on a machine without Postgres. */
export const postgresBinaries = findPostgres();

export async function openPostgres() {
  const postgres = await startPostgres(postgresBinaries ?? '');
  atEnd(postgres.stop);
  return postgres;
}
