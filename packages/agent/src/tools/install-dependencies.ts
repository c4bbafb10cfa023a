import { z } from 'zod';
import { pathInput } from './files/path-input.ts';
import { describeRun } from './run-program.ts';
import { defineTool, ToolFailure } from './tool.ts';

/** A name, and a version, range or tag; nothing that a package manager would take for an address or an option. */
const packageInput = z
  .string()
  .max(300)
  .regex(
    /^(@[a-z0-9][\w.~-]*\/)?[a-z0-9_][\w.~-]*(@[\^~<>=]{0,2}[0-9a-z*][\w.*+-]*)?$/i,
    'must be the name of a package, with a version or without: left-pad, @types/node@24, react@^19.0.0',
  );

export const installDependencies = defineTool({
  name: 'install_dependencies',
  description:
    'Installs what the lockfile names, with the package manager that the repository uses (npm, pnpm or Yarn). With packages, adds these; with updateLockfile, brings the lockfile in line with a changed package.json. This is the only way to get packages: commands have no network. Install scripts do not run, but for packages that are allowed to.',
  effect: 'runs',
  input: z.strictObject({
    packages: z.array(packageInput).max(50).default([]).describe('To be added, for example react@^19.0.0'),
    dev: z.boolean().default(false).describe('Adds them as development dependencies'),
    updateLockfile: z.boolean().default(false),
    folder: pathInput.optional().describe('The folder of the package.json; the root where it is not given'),
  }),
  async run({ packages, dev, updateLockfile, folder = '.' }, { install, limits, signal }) {
    const { commandSeconds, commandOutputBytes } = limits;
    const installed = await install(
      { packages, dev, update: updateLockfile, folder: folder === '.' ? '' : folder },
      { timeoutMs: commandSeconds * 1000, maxOutputBytes: commandOutputBytes, signal },
    );
    signal.throwIfAborted();
    if (!installed.ok) throw new ToolFailure(`Nothing was installed: ${installed.reason}.`);
    const runs = installed.runs.map(({ command, result }) => ({
      command,
      ...describeRun(result, { seconds: commandSeconds }),
    }));
    return {
      output: [...runs.map(({ command, output }) => `$ ${command}\n${output}`), installed.note].join('\n'),
      programMs: runs.reduce((sum, { programMs = 0 }) => sum + programMs, 0),
      failed: runs.some(({ failed }) => failed === true),
    };
  },
});
