import { readConfig } from '../../config.ts';
import { type Service, services } from '../../model-keys/stored-keys.ts';
import { bold, dim, green, type Line, yellow } from '../../view/line.ts';
import { printJson } from '../../view/print-json.ts';
import { openTerminal } from '../../view/terminal.ts';
import { wrapLines } from '../../view/text/wrap-line.ts';

/** Shows where each key comes from, and nothing of the keys. */
export async function modelStatus({ json, color }: { json?: boolean; color: boolean }): Promise<void> {
  const { model, modelKeys } = readConfig();
  const keys = Object.entries(modelKeys).map(([service, key]) => ({ service: service as Service, ...key }));
  if (json) return printJson({ model: model.name ?? null, service: model.service, keys });
  const terminal = openTerminal(process.stdout, { color });
  const lines: Line[] = [
    ['model  ', bold(model.name ?? 'the default of the worker')],
    ...keys.map(({ service, source, path, exposed }): Line => {
      const { name, keyName } = services[service];
      const from = {
        environment: `${keyName} in the environment`,
        file: `the file ${path}`,
        stored: `stored in ${path}`,
        none: "none; 'fettle model login' stores one",
      }[source];
      return [
        source === 'none' ? dim('–') : green('✓'),
        ` ${name.padEnd(10)}`,
        dim(from),
        exposed ? yellow('  other users can read it: chmod 600') : '',
      ];
    }),
  ];
  terminal.print(wrapLines(lines, { width: terminal.width(), indent: 4 }));
}
