import { Command } from 'commander';

export function upCommand(): Command {
  return new Command('up')
    .description('Run the server (Redis, api and worker) until Ctrl-C.')
    .option('--port <number>', 'the port to listen on; 0 picks a free one (default: FETTLE_PORT or 4747)')
    .addHelpText('after', '\nExample:\n  ANTHROPIC_API_KEY=… fettle up --port 4747')
    .action(async (_options, command: Command) => {
      const { runServer } = await import('./run-server.ts');
      process.exitCode = await runServer(command.optsWithGlobals());
    });
}
