export interface MessageParts {
  subject: string;
  body?: string | undefined;
  trailers?: readonly (readonly [key: string, value: string])[] | undefined;
}

/**
 * Subject, body and trailers in the format of `git interpret-trailers`. Subject and body may come from a model. As long
 * as there is a real trailer after them, git reads no line of them as a trailer.
 */
export function composeMessage({ subject, body = '', trailers = [] }: MessageParts): string {
  const trailerLines = trailers
    .map(([key, value]) => [key.replace(/[^A-Za-z0-9-]+/g, '-').replace(/^-+|-+$/g, ''), oneLine(value)])
    .filter(([key, value]) => key && value)
    .map(([key, value]) => `${key}: ${value}`);
  const paragraphs = [
    oneLine(subject) || 'Change without a subject',
    cleanBody(body),
    trailerLines.join('\n'),
  ];
  return `${paragraphs.filter(Boolean).join('\n\n')}\n`;
}

function cleanBody(body: string): string {
  return (
    body
      .toWellFormed()
      .replace(/\r\n?/g, '\n')
      .replace(/[^\P{Cc}\n\t]/gu, '')
      // Git takes a line of dashes for the start of a patch and the end of the message.
      .replace(/^---/gm, ' ---')
      .replace(/[ \t]+$/gm, '')
      .replace(/\n{3,}/g, '\n\n')
      .replace(/^\n+|\n+$/g, '')
  );
}

function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}
