import { compileCover } from './judge-path.ts';

/** The globs of a setting, separated by commas or spaces. `none` means an empty list. */
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
