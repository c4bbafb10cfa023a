/** The commands and options of the program as data, from which the scripts for all shells are generated. */
import { kinds, priorities, stateSchema } from '@fettle/contract';
import type { Command, Option } from 'commander';

export interface CompletedCommand {
  /** With its parents: `fettle secrets allow`. */
  path: string;
  name: string;
  about: string;
  options: CompletedOption[];
  /** What the first argument may be: values, or ids that only the server knows. */
  first: Values;
}

export interface CompletedOption {
  names: string[];
  about: string;
  /** Undefined for an option without a value. */
  value: Values | undefined;
}

export type Values = { kind: 'list'; values: string[] } | { kind: 'ids' | 'files' | 'none' };

const list = (values: readonly string[]): Values => ({ kind: 'list', values: [...values] });

/** Values that the program checks itself, with errors that commander cannot give. */
const known: Record<string, Values> = {
  '--priority': list(priorities),
  '--kind': list(kinds),
  '--state': list(stateSchema.options),
};

export function describeProgram(program: Command): CompletedCommand[] {
  return describe(program, '', globalOptions(program));
}

function globalOptions(program: Command): CompletedOption[] {
  return program.options.filter(({ long }) => long !== '--version').map(describeOption);
}

function describe(command: Command, parent: string, shared: CompletedOption[]): CompletedCommand[] {
  const path = `${parent} ${command.name()}`.trim();
  const own = command.options.filter(({ hidden }) => !hidden).map(describeOption);
  const isTop = parent === '';
  const help = { names: ['--help'], about: 'show the help', value: undefined };
  const options = [...own, ...(isTop ? [] : shared), help];
  const described = {
    path,
    name: command.name(),
    about: command.description(),
    options,
    first: findFirst(command),
  };
  return [described, ...command.commands.flatMap((each) => describe(each, path, shared))];
}

function findFirst({ registeredArguments: [first] }: Command): Values {
  if (!first) return { kind: 'none' };
  if (first.name() === 'id') return { kind: 'ids' };
  if (first.name() === 'kind') return list(kinds);
  const values = first.argChoices?.filter((value) => value !== 'ids');
  return values ? list(values) : { kind: 'files' };
}

function describeOption(option: Option): CompletedOption {
  const names = [option.long, option.short].filter((name) => typeof name === 'string');
  return { names, about: option.description, value: findValue(option) };
}

function findValue({ long, required, optional, argChoices, flags }: Option): Values | undefined {
  if (!required && !optional) return undefined;
  if (argChoices) return list(argChoices);
  if (long && known[long]) return known[long];
  return { kind: /<(path|repository|folder|file)>/.test(flags) ? 'files' : 'none' };
}
