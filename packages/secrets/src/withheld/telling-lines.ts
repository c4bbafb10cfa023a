/** Which lines of a file with credentials must not appear in another file. */
import { findSecrets } from '../find-secrets.ts';

/** Shorter lines occur anywhere. */
const shortestLine = 12;
const longestLine = 4_000;
const maxLines = 20_000;
const timeoutMs = 200;

const armour = /^-----(BEGIN|END) [A-Z0-9 ]+-----$/;
const comment = /^(?:#|;|\/\/|--(?!-)|\/?\*)+\s*/;
const assignment = /^["']?(?:export\s+)?[\w.-]+["']?\s*[=:]\s*(\S.*)?$/;
/** Values that settings of many projects share. */
const usualValue =
  /^(?:true|false|yes|no|on|off|none|null|auto|default|production|development|staging|test(?:ing)?|local|debug|info|warn(?:ing)?|error|trace|verbose|utf-?8|utc|\d{1,5}|\$\{?\w+\}?|(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?::\d{1,5})?\/?)?$/i;

/** The trimmed lines that say something which only this file says, as far as the file itself shows. */
export function listTellingLines(text: string): string[] {
  const lines = new Set<string>();
  for (const written of text.split(/\r\n|\r|\n/)) {
    const line = written.trim();
    if (line.length < shortestLine || lines.has(line) || !isTelling(line)) continue;
    lines.add(line.slice(0, longestLine));
    if (lines.size >= maxLines) break;
  }
  return [...lines];
}

function isTelling(line: string): boolean {
  // Nothing but punctuation.
  if (!/[\p{L}\p{N}]{4}/u.test(line) || armour.test(line)) return false;
  const content = line.replace(comment, '');
  const [isAssignment, value = ''] = assignment.exec(content) ?? [];
  if (isAssignment !== undefined)
    return !usualValue.test(value.replace(/,$/, '').replace(/^(["'])(.*)\1$/, '$2'));
  // A comment in words says what a setting is for.
  return content === line || findSecrets(line, { timeoutMs }).matches.length > 0;
}
