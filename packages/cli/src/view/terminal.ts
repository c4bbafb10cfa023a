/** Prints lines to a terminal, with one status line at the bottom that is redrawn. */
import type { WriteStream } from 'node:tty';
import { dim, type Line, renderLine, type Surface } from './line.ts';
import { showDuration } from './quantities.ts';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 100;
const longStatusMs = 10_000;
const clearLine = '\r\u{1b}[2K';
/** Without a terminal. A limit all the same, so that one line cannot have a megabyte. */
const defaultWidth = 400;
const minWidth = 40;

export type OutputStream = Pick<WriteStream, 'write'> &
  Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'hasColors'>>;

export type Terminal = ReturnType<typeof openTerminal>;

/** `hasColors` honours NO_COLOR and similar variables. */
export function openTerminal(stream: OutputStream, { color = true } = {}) {
  const isTerminal = stream.isTTY === true;
  let statusSince = 0;
  let status: string | undefined;
  let frame = 0;
  let timer: NodeJS.Timeout | undefined;

  const surface = (): Surface => ({
    width: isTerminal ? Math.max(stream.columns ?? 80, minWidth) : defaultWidth,
    color: color && isTerminal && stream.hasColors?.() === true,
  });

  function statusLine(): string {
    if (!isTerminal || status === undefined) return '';
    const { width, ...rest } = surface();
    const elapsed = showDuration(performance.now() - statusSince);
    // One column less: a terminal that wraps at the last column would leave copies behind.
    return renderLine([`${frames[frame]} ${status}`, dim(`  ${elapsed}`)], { ...rest, width: width - 1 });
  }

  /** Without a terminal, a status that lasts long is printed once, so that the command does not look stuck. */
  function printIfLong(text: string | undefined): void {
    clearTimeout(timer);
    if (text === undefined) return;
    timer = setTimeout(() => stream.write(`${renderLine([dim(`  … ${text}`)], surface())}\n`), longStatusMs);
    timer.unref();
  }

  return {
    width: () => surface().width,
    print(lines: Line[]): void {
      if (lines.length === 0) return;
      if (!isTerminal) clearTimeout(timer);
      const text = lines.map((line) => `${renderLine(line, surface())}\n`).join('');
      stream.write(isTerminal && status !== undefined ? clearLine + text + statusLine() : text);
    },
    /** Shows the status, and for how long it has lasted, until the next call. Undefined removes it. */
    setStatus(text: string | undefined): void {
      if (!isTerminal) {
        printIfLong(text);
        return;
      }
      if (text !== status) statusSince = performance.now();
      status = text;
      stream.write(clearLine + statusLine());
      clearInterval(timer);
      timer = undefined;
      if (text === undefined) return;
      timer = setInterval(() => {
        frame = (frame + 1) % frames.length;
        stream.write(clearLine + statusLine());
      }, frameMs);
      timer.unref();
    },
  };
}
