/**
 * The text of a here-document, if a shell would pass it on as it stands: the delimiter is quoted, or nothing in the text
 * could be expanded. The parser says where the text is; that is checked against the line.
 */
import type { CommandExpansionPart, HereDoc } from 'unbash';
import { type Refusal, refuse } from '../refusal.ts';
import { refuseSyntax } from './refuse-syntax.ts';

type Text = { ok: true; value: string } | Refusal;

const DELIMITER = /^(['"]?)[\w.-]+\1$/;
const EXPANDED = /[$`\\]/;
/** `cat` and nothing else prints the text. */
const PRINTED = /^\$\([ \t\n]*cat[ \t]+<<[ \t]*(?:'([\w.-]+)'|"([\w.-]+)")[ \t]*\n([\s\S]*)\)$/;

export function readHereDocument(document: HereDoc, line: string): Text {
  const { operator, descriptor, delimiter, body, closing } = document;
  const isInput =
    descriptor === undefined || (descriptor.type === 'FileDescriptor' && descriptor.value === 0);
  if (!isInput || delimiter === undefined || closing === undefined || !DELIMITER.test(delimiter.text)) {
    return refuseSyntax('HereDoc', `${operator}${delimiter?.text ?? ''}`);
  }
  const raw = line.slice(body.pos, closing.pos);
  const text = operator === '<<-' ? raw.replace(/^\t+/gm, '') : raw;
  const isQuoted = delimiter.text !== delimiter.value;
  if (!isQuoted && EXPANDED.test(raw)) return refuseExpansion(`${operator}${delimiter.text}`);
  const ends =
    line.slice(closing.pos, closing.end) === delimiter.value &&
    /^(\n|$)/.test(line.slice(closing.end, closing.end + 1));
  const isWhole =
    text === '' || (text.endsWith('\n') && !text.slice(0, -1).split('\n').includes(delimiter.value));
  // The tabs in front of the closing delimiter belong to neither.
  return ends && isWhole
    ? { ok: true, value: text }
    : refuseSyntax('HereDoc', `${operator}${delimiter.text}`);
}

/** `$(cat <<'EOF' …)` is the text itself, without the line ends behind it. */
export function readPrintedText(part: CommandExpansionPart): Text {
  const [, single, double, rest = ''] = PRINTED.exec(part.text) ?? [];
  const delimiter = single ?? double;
  if (delimiter === undefined) return refuseSyntax('CommandExpansion', part.text);
  const lines = rest.split('\n');
  const end = lines.indexOf(delimiter);
  if (
    end === -1 ||
    lines
      .slice(end + 1)
      .join('')
      .trim() !== ''
  )
    return refuseSyntax('CommandExpansion', part.text);
  const text = lines.slice(0, end).join('\n').replace(/\n+$/, '');
  const [command, ...others] = part.script?.commands ?? [];
  const isAgreed =
    others.length === 0 && command?.command.type === 'Command' && command.command.redirects.length === 1;
  return isAgreed ? { ok: true, value: text } : refuseSyntax('CommandExpansion', part.text);
}

function refuseExpansion(token: string): Refusal {
  return refuse('shell/here-document', 'a shell would expand what is in this text', {
    token,
    instead: "quote the delimiter, as in <<'EOF', or use write_file",
  });
}
