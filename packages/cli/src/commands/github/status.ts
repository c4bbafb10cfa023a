import type { GithubStatus } from '@fettle/contract';
import { type ExitCode, exitCodes } from '../../cli-error.ts';
import { withServer } from '../../server/with-server.ts';
import { harmlessLine } from '../../view/harmless.ts';
import { bold, dim, green, type Line, red, yellow } from '../../view/line.ts';
import { printJson } from '../../view/print-json.ts';
import { openTerminal } from '../../view/terminal.ts';
import { wrapLines } from '../../view/text/wrap-line.ts';

const maxRepositories = 20;

export async function githubStatus(options: { json?: boolean; color: boolean }): Promise<ExitCode> {
  return withServer(async ({ client }) => {
    const status = await client.github();
    if (options.json) printJson(status);
    else {
      const terminal = openTerminal(process.stdout, options);
      terminal.print(wrapLines(describeStatus(status), { width: terminal.width(), indent: 4 }));
    }
    return status.kind === 'none' ? exitCodes.unchanged : exitCodes.done;
  });
}

function describeStatus(status: GithubStatus): Line[] {
  const { kind, url, login, appUrl, installations, lastDelivery, notes } = status;
  const who = { app: 'GitHub App', token: 'GITHUB_TOKEN of', none: 'not connected' }[kind];
  const delivery = lastDelivery ? `${lastDelivery.event} at ${lastDelivery.at}` : 'none';
  return [
    [`${harmlessLine(url)}  `, who, ' ', bold(harmlessLine(login ?? ''))],
    ...(appUrl === null ? [] : [[dim(`  ${harmlessLine(appUrl)}`)] as Line]),
    ...installations.flatMap(describeInstallation),
    ...(kind === 'app' ? [[dim('last delivery  '), harmlessLine(delivery)] as Line] : []),
    ...notes.map((note): Line => [yellow('! '), harmlessLine(note)]),
  ];
}

function describeInstallation(installation: GithubStatus['installations'][number]): Line[] {
  const { account, isSuspended, missingPermissions, repositories, rateLimit } = installation;
  const shown = repositories.slice(0, maxRepositories).map(harmlessLine).join(', ');
  const more =
    repositories.length > maxRepositories ? ` and ${repositories.length - maxRepositories} more` : '';
  const mark = isSuspended || missingPermissions.length > 0 ? red('✗ ') : green('✓ ');
  const left = rateLimit ? dim(`  ${rateLimit.remaining} of ${rateLimit.limit} requests left`) : '';
  return [
    [mark, bold(harmlessLine(account)), isSuspended ? red('  suspended') : '', left],
    ...(missingPermissions.length > 0
      ? [['  ', red(`missing permissions: ${missingPermissions.map(harmlessLine).join(', ')}`)] as Line]
      : []),
    [`  ${shown || 'no repositories'}${more}`],
  ];
}
