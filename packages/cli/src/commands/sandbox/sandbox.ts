import { Command } from 'commander';

export function sandboxCommand(): Command {
  return new Command('sandbox').description('Try out the sandbox.').addCommand(execCommand());
}

function execCommand(): Command {
  return new Command('exec')
    .argument('<program...>', 'the program and its arguments, after --')
    .description('Run a program in a fresh sandbox like the one of the agent, then remove the sandbox.')
    .option('--backend <backend>', 'auto, docker, bubblewrap or process (default: FETTLE_SANDBOX)')
    .option('--repo <repository>', 'copy the default branch of this repository into the sandbox')
    .option('--timeout <seconds>', 'stop the program after this time', '300')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Exit codes: the exit code of the program; 124 timeout, 125 the sandbox failed,
127 program not found, 4 no sandbox is available.

Examples:
  fettle sandbox exec -- id
  fettle sandbox exec --repo . --timeout 60 -- npm test`,
    )
    .action(async (argv: string[], _options, command: Command) => {
      const { sandboxExec } = await import('./exec.ts');
      process.exitCode = await sandboxExec(argv, command.optsWithGlobals());
    });
}
