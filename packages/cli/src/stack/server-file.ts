/** `run/server.json`: other commands find the server that owns this FETTLE_HOME there. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const serverSchema = z.object({
  pid: z.int(),
  url: z.string(),
  startedAt: z.string(),
  /** The server ends with the command that started it, so other commands must not give it work. */
  embedded: z.boolean().default(false),
});
export type ServerFile = z.infer<typeof serverSchema>;

const pathIn = (home: string) => join(home, 'run', 'server.json');

export function writeServerFile(home: string, server: ServerFile): void {
  const path = pathIn(home);
  const draft = `${path}.${server.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify(server)}\n`, { mode: 0o600 });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

export function removeServerFile(home: string): void {
  rmSync(pathIn(home), { force: true });
}

export function readServerFile(home: string): ServerFile | undefined {
  try {
    return serverSchema.parse(JSON.parse(readFileSync(pathIn(home), 'utf8')));
  } catch {
    return undefined;
  }
}
