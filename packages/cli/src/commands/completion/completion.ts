import { Argument, Command } from 'commander';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export function completionCommand(): Command {
  return new Command('completion')
    .description('Print a script that completes commands, options and ids in your shell.')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices([...shells, 'ids']))
    .addHelpText(
      'after',
      `
Examples:
  source <(fettle completion bash)   in ~/.bashrc
  source <(fettle completion zsh)    in ~/.zshrc, after compinit
  fettle completion fish > ~/.config/fish/completions/fettle.fish`,
    )
    .action(async (shell: Shell | 'ids', _options, command: Command) => {
      const { printCompletion, printIds } = await import('./print-completion.ts');
      // The scripts call this to complete an id.
      if (shell === 'ids') await printIds();
      else printCompletion(shell, command.parent ?? command);
    });
}
