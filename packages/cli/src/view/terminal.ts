/** The thin layer between lines and a terminal: lines scroll up, one status line at the bottom is redrawn. */
import type { WriteStream } from 'node:tty';
import { dim, type Line, renderLine, type Surface } from './line.ts';
import { showDuration } from './quantities.ts';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 100;
const longMs = 10_000;
const clearLine = '\r\u{1b}[2K';
/** Where there is no terminal, nothing needs to fit; a bound keeps one line from being a megabyte. */
const widthElsewhere = 400;
const narrowest = 40;

export type OutputStream = Pick<WriteStream, 'write'> &
  Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'hasColors'>>;

export type Terminal = ReturnType<typeof openTerminal>;

/** Colours are for terminals that have them; NO_COLOR and its kin are honoured by `hasColors`. */
export function openTerminal(stream: OutputStream, { color = true } = {}) {
  const live = stream.isTTY === true;
  const startedAt = performance.now();
  let status: string | undefined;
  let frame = 0;
  let timer: NodeJS.Timeout | undefined;

  const surface = (): Surface => ({
    width: live ? Math.max(stream.columns ?? 80, narrowest) : widthElsewhere,
    color: color && live && stream.hasColors?.() === true,
  });

  function statusLine(): string {
    if (!live || status === undefined) return '';
    const { width, ...rest } = surface();
    const elapsed = showDuration(performance.now() - startedAt);
    // One column less: a terminal that wraps at the last one would leave copies behind.
    return renderLine([`${frames[frame]} ${status}`, dim(`  ${elapsed}`)], { ...rest, width: width - 1 });
  }

  /** Where nothing can be redrawn, what takes long is told once, so that nobody takes it for a standstill. */
  function tellIfLong(text: string | undefined): void {
    clearTimeout(timer);
    if (text === undefined) return;
    timer = setTimeout(() => stream.write(`${renderLine([dim(`  … ${text}`)], surface())}\n`), longMs);
    timer.unref();
  }

  return {
    width: () => surface().width,
    print(lines: Line[]): void {
      if (lines.length === 0) return;
      if (!live) clearTimeout(timer);
      const text = lines.map((line) => `${renderLine(line, surface())}\n`).join('');
      stream.write(live && status !== undefined ? clearLine + text + statusLine() : text);
    },
    /** Shows what is going on until something else does, or nothing does any more. */
    setStatus(text: string | undefined): void {
      if (!live) {
        tellIfLong(text);
        return;
      }
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
