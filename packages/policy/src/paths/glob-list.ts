import { compileCover } from './judge-path.ts';

/** The globs of a setting, by commas or blanks; `none` for none. */
export function splitGlobs(text: string): string[] {
  return text.split(/[\s,]+/).filter((glob) => glob !== '' && glob !== 'none');
}

export function isGlob(glob: string): boolean {
  try {
    compileCover(glob);
    return true;
  } catch {
    return false;
  }
}
