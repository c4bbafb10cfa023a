import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgram } from '@fettle/process';
import { openFolder } from './open-folder.ts';

export interface Files {
  [path: string]: string | Buffer | { link: string };
}

/** A real git repository in a temporary folder, which is removed after the test. */
export async function makeRepository() {
  const folder = openFolder();
  const { PATH = '' } = process.env;
  const environment = { PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  async function git(...args: string[]): Promise<string> {
    const command = ['git', ...identity, ...args];
    const { exitCode, stdout, stderr } = await runProgram(command, { cwd: folder, environment });
    if (exitCode !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
    return stdout.toString('utf8').trim();
  }
  await git('init', '-q');
  return {
    folder,
    mirror: join(folder, '.git'),
    async commit(files: Files): Promise<string> {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        if (typeof content === 'string' || Buffer.isBuffer(content))
          writeFileSync(join(folder, path), content);
        else symlinkSync(content.link, join(folder, path));
      }
      await git('add', '-A', '--force');
      await git('commit', '-qm', 'next', '--allow-empty');
      return git('rev-parse', 'HEAD');
    },
  };
}
