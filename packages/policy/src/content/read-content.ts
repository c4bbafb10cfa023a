/** The input of the content checks: the file as text, with the lines that the change added. */
import { foldLetters } from '../paths/spell-path.ts';
import type { ContentFile } from './content-rule.ts';

export interface Line {
  /** 1-based. */
  number: number;
  text: string;
}

export interface Reading extends ContentFile {
  /** The base name, in lower case. */
  name: string;
  /** The extension, without the dot. */
  extension: string;
  isBinary: boolean;
  wasBinary: boolean;
  /** Empty for binary files. */
  text: string;
  textBefore: string;
  /** Lines that did not exist anywhere in the file before. A change is not blamed for lines it only moved. */
  added: Line[];
}

/** Media and fonts. */
const media =
  /^(png|jpe?g|gif|webp|avif|ico|icns|bmp|tiff?|heic|woff2?|ttf|otf|eot|mp3|mp4|m4a|mov|ogg|opus|wav|webm|flac)$/;

export function readContent(file: ContentFile): Reading {
  const { path, before, after } = file;
  const name = foldLetters(path.slice(path.lastIndexOf('/') + 1));
  const dot = name.lastIndexOf('.');
  const extension = dot === -1 ? '' : name.slice(dot + 1);
  const isBinary = media.test(extension) || after.includes(0);
  const wasBinary = media.test(extension) || (before?.includes(0) ?? false);
  const text = isBinary ? '' : after.toString('utf8');
  const textBefore = wasBinary || !before ? '' : before.toString('utf8');
  const known = new Set(textBefore === '' ? [] : splitLines(textBefore));
  const added = splitLines(text).flatMap((line, index) =>
    known.has(line) ? [] : [{ number: index + 1, text: line }],
  );
  return { ...file, name, extension, isBinary, wasBinary, text, textBefore, added };
}

/** Without line endings, so that converting them does not make every line new. */
function splitLines(text: string): string[] {
  return text.split(/\r?\n/);
}

/** Prose, where more characters are usual than in code. */
export const isProse = ({ extension }: Pick<Reading, 'extension'>) =>
  /^(md|mdx|markdown|txt|rst|adoc|tex|html?|xhtml|po|pot|xlf|xliff|ftl|srt|vtt|csv|tsv)$/.test(extension);
