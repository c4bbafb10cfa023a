/** Recognises that a command failed because a file is withheld from the sandbox. */
import type { CheckStatus, Obstacle } from '@fettle/contract';
import { findWithheldIn, placeholderStart, type WithheldFile } from './withheld.ts';

/** What can be recognised in an output: the path of a file, and the variables that it sets. */
export interface WithheldName {
  path: string;
  variables: string[];
}

const maxVariables = 1_000;
const variableLine = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]{3,60})\s*=/gm;
/** They are in many files of this kind, and a program that complains about them has other reasons too. */
const ordinary = new Set(['NODE_ENV', 'PATH', 'HOME', 'PORT', 'HOST', 'DEBUG', 'USER', 'LANG', 'LOG_LEVEL']);

export function nameWithheld(files: readonly WithheldFile[]): WithheldName[] {
  return files.map(({ path, omitted }) => {
    const found = [...omitted.matchAll(variableLine)].map(([, name = '']) => name);
    const variables = [...new Set(found)].filter((name) => !ordinary.has(name));
    return { path, variables: variables.slice(0, maxVariables) };
  });
}

/** Many programs only tell which files of this kind they have read, and that is no reason to fail. */
const complaint =
  /error|exception|fail|missing|not (?:found|set|defined|provided|exist|readable)|no such|cannot|can't|could not|unable|invalid|undefined|required|must|malformed|pars(?:e|ing)|throw|expected|denied|unexpected/i;

const maxLines = 50_000;
const maxLineLength = 2_000;

/** The withheld files that lines of the output complain about, directly or by a variable of theirs. */
export function findWithheldCause(output: string, files: readonly WithheldName[]): string[] {
  if (files.length === 0) return [];
  const lines = output.split('\n', maxLines).map((line) => line.slice(0, maxLineLength));
  const complaints = lines
    .filter((line) => complaint.test(line) || line.includes(placeholderStart))
    .join('\n');
  const words = new Set(complaints.match(/[A-Z][A-Z0-9_]{3,60}/g));
  const paths = new Set(
    findWithheldIn(
      complaints,
      files.map(({ path }) => path),
    ),
  );
  return files
    .filter(({ path, variables }) => paths.has(path) || variables.some((name) => words.has(name)))
    .map(({ path }) => path);
}

interface Classified {
  status: CheckStatus;
  obstacle?: Obstacle | undefined;
}

/** A failed run that complains about a withheld file says nothing about the code. */
export function excuseWithheld<T extends Classified>(
  run: T,
  output: string,
  files: readonly WithheldName[],
): T {
  if (run.status !== 'failed') return run;
  const found = findWithheldCause(output, files);
  if (found.length === 0) return run;
  const names = found.slice(0, 3).map((path) => `\`${path}\``);
  const verb = found.length === 1 ? 'is' : 'are';
  const message = `It needs ${names.join(', ')}, which ${verb} withheld from sandboxes because files of this name hold credentials.`;
  return { ...run, status: 'could_not_run', obstacle: { code: 'file_withheld', message } };
}
