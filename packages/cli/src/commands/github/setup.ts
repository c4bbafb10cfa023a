import { hostname } from 'node:os';
import { convertManifest } from '@fettle/forge';
import { CliError, exitCodes, usageError } from '../../cli-error.ts';
import { readConfig } from '../../config.ts';
import { readStoredApp, storeApp } from '../../github/stored-app.ts';
import { listenForInterrupts } from '../../process/interrupts.ts';
import { explainUnwritable } from '../../stack/unwritable-home.ts';
import { copyable, dim, green, type Line, yellow } from '../../view/line.ts';
import { printJson } from '../../view/print-json.ts';
import { openTerminal } from '../../view/terminal.ts';
import { serveSetup } from './serve-setup.ts';

export interface SetupOptions {
  org?: string;
  name?: string;
  publicUrl?: string;
  json?: boolean;
  color: boolean;
}

const maxName = 34;

export async function githubSetup(options: SetupOptions): Promise<void> {
  const { org, publicUrl, json } = options;
  const { home, github, environment } = readConfig();
  const name = options.name ?? `Fettle ${hostname()}`.slice(0, maxName);
  if (org !== undefined && !/^[A-Za-z0-9-]{1,39}$/.test(org)) throw usageError(`'${org}' is not a login.`);
  if (publicUrl !== undefined && !/^https:\/\/[^\s/]+\/?$/.test(publicUrl))
    throw usageError(`--public-url takes an address such as https://fettle.example.com, not '${publicUrl}'.`);
  const terminal = openTerminal(process.stdout, options);
  const print = (lines: Line[], answer: object) => (json ? printJson(answer) : terminal.print(lines));
  const earlier = readStoredApp(home);
  if (earlier && !json) terminal.print([[yellow('! '), `this replaces the stored App ${earlier.slug}`]]);

  const interrupts = listenForInterrupts();
  const page = await serveSetup({
    githubUrl: github.url,
    org,
    name,
    publicUrl: publicUrl?.replace(/\/$/, ''),
  });
  try {
    print(
      [
        ['Open this page in a browser on this machine, and confirm the new App on GitHub:'],
        ['  ', copyable(page.url)],
        [dim('  Waiting for GitHub …')],
      ],
      { step: 'confirm', url: page.url },
    );
    const code = await page.waitForCode(interrupts.signal);
    const { id, slug, html_url, pem, webhook_secret } = await convertManifest(github.apiUrl, code).catch(
      (error: Error) => {
        throw new CliError('github_setup_failed', error.message, {
          exitCode: exitCodes.failed,
          advice: 'Try again.',
        });
      },
    );
    const app = { appId: String(id), slug, appUrl: html_url, githubUrl: github.url, apiUrl: github.apiUrl };
    const folder = store(home, { ...app, privateKey: pem, webhookSecret: webhook_secret });
    const install = `${html_url}/installations/new`;
    const given =
      environment.GITHUB_APP_ID !== undefined && environment.GITHUB_APP_ID !== app.appId && !earlier;
    print(
      [
        [green('✓ '), `the App ${slug} is stored in ${folder}, readable only by you`],
        ...(given
          ? [[yellow('! GITHUB_APP_ID is set in the environment, so that App is used instead')] as Line]
          : []),
        ['Next:'],
        ['  1. Install it on repositories: ', copyable(install)],
        ['  2. Restart the server, if one runs: ', copyable('fettle up')],
        ['  3. Check it: ', copyable('fettle github status')],
      ],
      { step: 'install', folder, slug, url: install },
    );
  } finally {
    await page.close();
    interrupts.stopListening();
  }
}

function store(home: string, app: Parameters<typeof storeApp>[1]): string {
  try {
    return storeApp(home, app);
  } catch (error) {
    throw explainUnwritable(home, error);
  }
}
