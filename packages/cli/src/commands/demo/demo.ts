import { Command } from 'commander';

export function demoCommand(): Command {
  return new Command('demo')
    .description('Create a small repository with a real bug, and watch a recorded model fix it.')
    .option('--fast', 'do not pause for reading')
    .option(
      '--github',
      'request the fix in a comment on a simulated GitHub, with a failed check and a review',
    )
    .addHelpText('after', '\nExamples:\n  fettle demo --fast\n  fettle demo --github')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<{ fast?: boolean; github?: boolean; color: boolean }>();
      const { runDemo } = options.github
        ? { runDemo: (await import('./run-github-demo.ts')).runGithubDemo }
        : await import('./run-demo.ts');
      process.exitCode = await runDemo(options);
    });
}
