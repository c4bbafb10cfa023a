/**
 * The files of Fettle that a sandbox can see: node, the toolbox with its imports, and the few files of /etc that programs
 * expect. All are read-only, and none is secret.
 */
import { createHash } from 'node:crypto';
import { readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeOnce } from '../write-once.ts';

export interface Runtime {
  node: string;
  toolbox: string;
  protocol: string;
  proc: string;
  /** The packages `ignore` and `@fettle/globs`. */
  ignore: string;
  globs: string;
  etc: string;
}

const etcFiles = {
  passwd:
    'root:x:0:0:root:/nonexistent:/usr/sbin/nologin\nsandbox:x:1001:1001:sandbox:/sandbox/home:/bin/sh\n',
  group: 'root:x:0:\nsandbox:x:1001:\n',
  hosts: '127.0.0.1 localhost\n::1 localhost\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
};

export async function prepareRuntime(parent: string): Promise<Runtime> {
  const etc = await writeOnce(join(parent, 'etc'), (folder) => {
    for (const [name, text] of Object.entries(etcFiles)) writeFileSync(join(folder, name), text);
  });
  const { resolve } = createRequire(import.meta.url);
  return {
    node: realpathSync(process.execPath),
    toolbox: fileURLToPath(new URL('../../toolbox', import.meta.url)),
    protocol: fileURLToPath(new URL('../../protocol', import.meta.url)),
    proc: fileURLToPath(new URL('../../proc', import.meta.url)),
    ignore: dirname(resolve('ignore/package.json')),
    globs: dirname(dirname(resolve('@fettle/globs'))),
    etc,
  };
}

/** Changes with the version of Node and with every file of the toolbox. */
export function versionOf({ toolbox, protocol, proc, globs }: Runtime): string {
  const hash = createHash('sha256').update(process.version);
  for (const folder of [toolbox, protocol, proc, globs]) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
      const { size, mtimeMs } = statSync(join(folder, name));
      hash.update(`${name} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest('hex').slice(0, 12);
}
