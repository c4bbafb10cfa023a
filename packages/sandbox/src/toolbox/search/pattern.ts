import { SandboxError } from '../../protocol/sandbox-error.ts';

export interface PatternOptions {
  pattern: string;
  fixed: boolean;
  ignoreCase: boolean;
}

/** As close to ripgrep's syntax as JavaScript allows: flags such as `(?i)` are supported at the start. */
export function compilePattern({ pattern, fixed, ignoreCase }: PatternOptions): RegExp {
  if (fixed) return new RegExp(RegExp.escape(pattern), ignoreCase ? 'iu' : 'u');
  const inline = /^\(\?([imsu]+)\)/.exec(pattern);
  const source = inline === null ? pattern : pattern.slice(inline[0].length);
  const flags = new Set(ignoreCase ? 'i' : '');
  for (const flag of inline?.[1] ?? '') if (flag !== 'u') flags.add(flag);
  const chosen = [...flags].join('');
  try {
    return new RegExp(source, `${chosen}u`);
  } catch {
    // Unnecessary escapes such as `\-` are errors only in Unicode mode.
  }
  try {
    return new RegExp(source, chosen);
  } catch (error) {
    throw new SandboxError('bad_pattern', (error as Error).message, { cause: error });
  }
}

/** Both engines return lines without their line end and cut them at the same length. */
export function cutLine(text: string, maxLength: number): string {
  const line = text.endsWith('\r') ? text.slice(0, -1) : text;
  return line.length > maxLength ? line.slice(0, maxLength).toWellFormed() : line;
}
