/** Gives the options of a command the values of the user's config file. Options of the command line win. */
import type { Command } from 'commander';
import type { Environment } from './read-user-config.ts';

export async function applyUserConfig(command: Command, environment: Environment): Promise<void> {
  const { readUserConfig } = await import('./read-user-config.ts');
  const { optionsOf } = await import('./user-config.ts');
  const values = optionsOf(readUserConfig(environment));
  for (let each: Command | null = command; each; each = each.parent) {
    for (const option of each.options) {
      const name = option.attributeName();
      const isGiven = !['default', undefined].includes(each.getOptionValueSource(name));
      if (values.has(name) && !isGiven) each.setOptionValueWithSource(name, values.get(name), 'config');
    }
  }
}
