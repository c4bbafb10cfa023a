/** What the checks look at: a file as text, and of its lines those that the change brought. */
import { foldLetters } from '../paths/spell-path.ts';
import type { ContentFile } from './content-rule.ts';

export interface Line {
  /** Counted from 1. */
  number: number;
  text: string;
}

export interface Reading extends ContentFile {
  /** The file's own name, in small letters. */
  name: string;
  /** What comes after the last dot of the name. */
  extension: string;
  isBinary: boolean;
  wasBinary: boolean;
  /** Empty for what is binary. */
  text: string;
  textBefore: string;
  /** Those that stood nowhere in the file before: what was there is not blamed on whoever changes the next line. */
  added: Line[];
}

/** Pictures, sounds and fonts: they are looked at or listened to, not read. */
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

/** Without the ends of lines, so that other ends alone make no line a new one. */
function splitLines(text: string): string[] {
  return text.split(/\r?\n/);
}

/** Text for people, in which more is usual than in code. */
export const isProse = ({ extension }: Pick<Reading, 'extension'>) =>
  /^(md|mdx|markdown|txt|rst|adoc|tex|html?|xhtml|po|pot|xlf|xliff|ftl|srt|vtt|csv|tsv)$/.test(extension);
