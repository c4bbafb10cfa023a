/** Short functions to write observed turns. */
import type { Effect } from '../../tools/tool.ts';
import type { ObservedCall, ObservedTurn } from '../observed-turn.ts';

export const tools: { name: string; effect: Effect }[] = [
  { name: 'read_file', effect: 'reads' },
  { name: 'search_text', effect: 'reads' },
  { name: 'list_directory', effect: 'reads' },
  { name: 'git_diff', effect: 'reads' },
  { name: 'write_file', effect: 'writes' },
  { name: 'edit_file', effect: 'writes' },
  { name: 'run_command', effect: 'runs' },
  { name: 'install_dependencies', effect: 'runs' },
  { name: 'test', effect: 'runs' },
  { name: 'build', effect: 'runs' },
];

export function call(
  tool: string,
  input: unknown,
  output: string,
  more: Partial<ObservedCall> = {},
): ObservedCall {
  const effect = tools.find(({ name }) => name === tool)?.effect ?? 'runs';
  return { tool, effect, input, output, status: 'ok', changed: [], ...more };
}

export const written = (path: string, blob?: string): Pick<ObservedCall, 'changed'> => ({
  changed: [{ path, change: 'written', ...(blob !== undefined && { blob }) }],
});

export const failed = { status: 'failed' } as const;

export const read = (path: string, output = `     1\tthe content of ${path}`, range = {}) =>
  call('read_file', { path, ...range }, output);

export const edit = (path: string, old: string, replacement: string) =>
  call('edit_file', { path, edits: [{ old, new: replacement, all: false }] }, `Changed ${path} in 1 place.`, {
    ...written(path),
  });

export const run = (command: string, output: string, more: Partial<ObservedCall> = {}) =>
  call('run_command', { command }, `${output}\n(exit code ${more.status === 'failed' ? 1 : 0})`, more);

export const test = (output: string, more: Partial<ObservedCall> = failed) =>
  call('test', {}, `${output}\n(exit code ${more.status === 'failed' ? 1 : 0})`, more);

export const turn = (...calls: ObservedCall[]): ObservedTurn => ({ texts: [], calls });

export const saying = (text: string, ...calls: ObservedCall[]): ObservedTurn => ({ texts: [text], calls });

export const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));
