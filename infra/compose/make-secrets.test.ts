import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeSecrets, serviceSecrets } from './make-secrets.ts';

function openFolders() {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const folders = {
    given: join(folder, 'given'),
    ca: join(folder, 'ca'),
    kept: join(folder, 'kept'),
    services: join(folder, 'services'),
  };
  mkdirSync(folders.given);
  mkdirSync(folders.kept);
  const read = (path: string) => readFileSync(join(folders.services, path), 'utf8').trim();
  return { folders, read };
}

test('generates what is missing once, and keeps what is given', () => {
  const { folders, read } = openFolders();
  writeFileSync(join(folders.given, 'FETTLE_BROKER_KEY'), 'given-by-the-operator\n');
  writeFileSync(join(folders.given, 'ANTHROPIC_API_KEY'), 'model-key\n');
  expect(makeSecrets(folders)).toEqual(['POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'FETTLE_WORKER_KEY']);
  const password = read('postgres/POSTGRES_PASSWORD');
  expect(password).toMatch(/^[0-9a-f]{64}$/);
  expect(read('api/DATABASE_URL')).toBe(`postgresql://fettle:${password}@postgres:5432/fettle`);
  expect(read('redis/redis.conf')).toBe(`requirepass "${read('redis/REDIS_PASSWORD')}"`);
  expect(read('api/REDIS_URL')).toBe(read('code-worker/REDIS_URL'));
  expect(read('code-worker/ANTHROPIC_API_KEY')).toBe('model-key');
  expect(read('sandbox-broker/FETTLE_BROKER_KEY')).toBe('given-by-the-operator');
  expect(read('code-worker/OPENAI_API_KEY')).toBe('');

  expect(makeSecrets(folders)).toEqual([]);
  expect(read('postgres/POSTGRES_PASSWORD')).toBe(password);
  writeFileSync(join(folders.given, 'DATABASE_URL'), 'postgresql://me@elsewhere/fettle');
  makeSecrets(folders);
  expect(read('api/DATABASE_URL')).toBe('postgresql://me@elsewhere/fettle');
});

test('a service has its own secrets, readable by its user', () => {
  const { folders } = openFolders();
  makeSecrets(folders);
  for (const [service, { user, files }] of Object.entries(serviceSecrets)) {
    const folder = join(folders.services, service);
    expect(readdirSync(folder).toSorted()).toEqual(files.toSorted());
    for (const name of files) {
      const { mode, uid } = statSync(join(folder, name));
      expect(mode & 0o777).toBe(0o400);
      if (process.getuid?.() === 0) expect(uid).toBe(user);
    }
  }
});
