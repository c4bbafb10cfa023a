import { SandboxError } from '../../protocol/sandbox-error.ts';

export interface PatternOptions {
  pattern: string;
  fixed: boolean;
  ignoreCase: boolean;
}

/** As close to ripgrep's dialect as JavaScript comes: flags may be set at the front with `(?i)`. */
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
    // Needless escapes such as `\-` are errors in Unicode mode only.
  }
  try {
    return new RegExp(source, chosen);
  } catch (error) {
    throw new SandboxError('bad_pattern', (error as Error).message, { cause: error });
  }
}
