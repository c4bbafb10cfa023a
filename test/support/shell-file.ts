/**
 * A file of a repository that does whatever a shell can. What code of the repository does is not judged by rules for
 * command lines: the sandbox contains it, and what it wrote is judged where it is handed out.
 */
export const shellFile = {
  'shell.mjs': `import { spawnSync } from 'node:child_process';
const env = { ...process.env, TOOLBOX: String(process.ppid) };
const { status } = spawnSync('/bin/sh', ['-c', process.argv[2]], { stdio: 'inherit', env });
process.exit(status ?? 1);
`,
};

/** A line of the agent, or of set-up, that has that file run a shell; `$TOOLBOX` is the toolbox's process. */
export const shell = (script: string): string => `node shell.mjs '${script.replaceAll("'", `'"'"'`)}'`;
