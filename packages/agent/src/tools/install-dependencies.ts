import { z } from 'zod';
import { pathInput } from './files/paths.ts';
import { describeRun } from './run-program.ts';
import { defineTool, ToolFailure } from './tool.ts';

/** A name with an optional version, range or tag, but nothing that a package manager would read as a URL or an option. */
const packageInput = z
  .string()
  .max(300)
  .regex(
    /^(@[a-z0-9][\w.~-]*\/)?[a-z0-9_][\w.~-]*(@[\^~<>=]{0,2}[0-9a-z*][\w.*+-]*)?$/i,
    'must be the name of a package with an optional version: left-pad, @types/node@24, react@^19.0.0',
  );

export const installDependencies = defineTool({
  name: 'install_dependencies',
  description:
    'Installs the dependencies from the lockfile, with the package manager of the repository (npm, pnpm or Yarn). With packages, adds these packages; with updateLockfile, updates the lockfile to match a changed package.json. This is the only way to get packages: commands have no network. Install scripts do not run, except for packages that are allowed to run them.',
  effect: 'runs',
  paths: ({ folder = '.' }) => [{ path: folder, access: 'read' }],
  input: z.strictObject({
    packages: z
      .array(packageInput)
      .max(50)
      .default([])
      .describe('Packages to add, for example react@^19.0.0'),
    dev: z.boolean().default(false).describe('Add them as development dependencies'),
    updateLockfile: z.boolean().default(false),
    folder: pathInput
      .optional()
      .describe('The folder of the package.json; defaults to the root of the repository'),
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
