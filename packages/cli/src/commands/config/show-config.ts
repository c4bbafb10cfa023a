import { readConfig } from '../../config.ts';
import { settingNames, variables } from '../../user-config/user-config.ts';
import { harmlessLine } from '../../view/harmless.ts';
import { bold, copyable, dim, type Line } from '../../view/line.ts';
import { printJson } from '../../view/print-json.ts';
import { openTerminal } from '../../view/terminal.ts';
import { wrapLines } from '../../view/text/wrap-line.ts';

interface Shown {
  key: string;
  value: string | number | boolean | null;
  source: 'environment' | 'file' | 'default';
  variable?: string;
}

export function showConfig({ json, color }: { json?: boolean; color: boolean }): void {
  const { userFile, given } = readConfig();
  const values = settingNames.map((key) => find(key, given, userFile.values));
  if (json) {
    printJson({ path: userFile.path, exists: userFile.exists, values });
    return;
  }
  const terminal = openTerminal(process.stdout, { color });
  const width = Math.max(...values.map(({ key }) => key.length));
  const lines: Line[] = [
    [dim('file  '), copyable(harmlessLine(userFile.path)), dim(userFile.exists ? '' : '  (does not exist)')],
    ...values.map(
      ({ key, value, source, variable }): Line => [
        bold(key.padEnd(width)),
        value === null ? dim('  default') : `  ${harmlessLine(String(value))}`,
        source === 'default' ? '' : dim(`  from ${source === 'file' ? 'the file' : variable}`),
      ],
    ),
  ];
  terminal.print(wrapLines(lines, { width: terminal.width(), indent: 4 }));
}

function find(key: string, environment: Record<string, string | undefined>, file: object): Shown {
  const variable = Object.hasOwn(variables, key) ? variables[key as keyof typeof variables] : undefined;
  const set = variable && [variable, `${variable}_FILE`].find((name) => environment[name]);
  if (variable && set)
    return { key, value: hidePassword(environment[set] ?? ''), source: 'environment', variable: set };
  const ofFile = key
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], file);
  if (ofFile === undefined) return { key, value: null, source: 'default', ...(variable && { variable }) };
  return { key, value: ofFile as Shown['value'], source: 'file', ...(variable && { variable }) };
}

function hidePassword(value: string): string {
  return value.replace(/\/\/[^/@\s]*@/, '//…@');
}
