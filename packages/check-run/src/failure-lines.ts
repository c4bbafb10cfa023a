/** The lines of an output that say why a command failed. */
import { stripVTControlCharacters } from 'node:util';

const maxRead = 200_000;
const maxLines = 6;
const maxReason = 600;

/** How package managers mark the lines that matter. */
const marks =
  /^npm (?:error|ERR!) (?!A complete log|code E\w+$|\s*$|This is a problem|\s*(?:at|path|command) )|ERR_PNPM_|^(?:error|fatal|ERROR)[: ]|➤ YN(?!0000|0002|0004|0007|0013|0060|0066|0085|0086)\d{4}:|^(?:Request|Type|Reference)?Error: |registry:|could not be reached/;

export function describeSetupFailure(output: string): string {
  const lines = plain(output);
  const marked = lines.filter((line) => marks.test(line));
  return join(marked.length > 0 ? marked.slice(0, maxLines) : lines.slice(-maxLines)).slice(0, maxReason);
}

/** The host of a package that no registry of the sandbox serves. */
export function findMissingHost(output: string): string | undefined {
  for (const line of plain(output)) {
    if (!unreachable.test(line)) continue;
    const [, host] =
      /(?:ENOTFOUND|EAI_AGAIN) ([\w.-]{1,200})|https?:\/\/([\w.-]{1,200})/.exec(line)?.filter(Boolean) ?? [];
    if (host !== undefined && !/^(?:127\.|localhost)/.test(host)) return host;
  }
  return undefined;
}

const unreachable =
  /ENOTFOUND|EAI_AGAIN|ENETUNREACH|ECONNREFUSED|dns error|error sending request|Could not resolve host|ERR_PNPM_(?:META_)?FETCH|network/i;

export const lastLines = (output: string, maxLength: number): string =>
  join(plain(output).slice(-maxLines)).slice(-maxLength);

const join = (lines: string[]) => [...new Set(lines)].join(' | ');

/** Without escape sequences and other control characters. */
function plain(output: string): string[] {
  return stripVTControlCharacters(output.slice(-maxRead))
    .replaceAll(/[^\P{C}\n]/gu, '')
    .split('\n')
    .map((line) => line.trim().slice(0, maxReason))
    .filter((line) => line !== '');
}
