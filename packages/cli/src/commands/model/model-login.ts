import { type ExitCode, exitCodes } from '../../cli-error.ts';
import { readConfig } from '../../config.ts';
import { readSecret } from '../../model-keys/read-secret.ts';
import { removeKey, type Service, services, storedKeyPath, storeKey } from '../../model-keys/stored-keys.ts';
import { explainUnwritable } from '../../stack/unwritable-home.ts';
import { dim, green, type Line, yellow } from '../../view/line.ts';
import { printJson } from '../../view/print-json.ts';
import { openTerminal } from '../../view/terminal.ts';
import { wrapLines } from '../../view/text/wrap-line.ts';

export interface ModelKeyOptions {
  service?: Service;
  json?: boolean;
  color: boolean;
}

export async function modelLogin(options: ModelKeyOptions): Promise<void> {
  const config = readConfig();
  const service = options.service ?? config.model.service;
  const { name, keyName } = services[service];
  const key = await readSecret(`${name} key (it is not shown): `);
  const path = orExplain(config.home, () => storeKey(config.home, service, key));
  const hidden = config.modelKeys[service].source === 'environment';
  if (options.json) return printJson({ service, path, used: !hidden });
  const terminal = openTerminal(process.stdout, options);
  const lines: Line[] = [
    [green('✓ '), `the ${name} key is stored in ${path}, readable only by you`],
    ...(hidden
      ? [[yellow(`! ${keyName} is set in the environment, so that key is used instead`)] as Line]
      : []),
    [dim('  A server that runs already uses it after a restart.')],
  ];
  terminal.print(wrapLines(lines, { width: terminal.width(), indent: 2 }));
}

export async function modelLogout(options: ModelKeyOptions): Promise<ExitCode> {
  const config = readConfig();
  const service = options.service ?? config.model.service;
  const removed = orExplain(config.home, () => removeKey(config.home, service));
  const path = storedKeyPath(config.home, service);
  if (options.json) printJson({ service, path, removed });
  else
    openTerminal(process.stdout, options).print([
      removed
        ? [green('✓ '), `the ${services[service].name} key is removed from this machine`]
        : [`no ${services[service].name} key was stored`],
    ]);
  return removed ? exitCodes.done : exitCodes.unchanged;
}

function orExplain<T>(home: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw explainUnwritable(home, error);
  }
}
