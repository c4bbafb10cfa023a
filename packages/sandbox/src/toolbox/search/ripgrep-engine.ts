import { spawn } from 'node:child_process';
import { closeSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markerName } from '../../proc/processes.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import { openRegularFile } from '../files/open-regular-file.ts';
import type { Toolbox } from '../toolbox.ts';
import { compareByComponent } from '../tree/list-files.ts';
import { cutLine } from './pattern.ts';
import { type EngineResult, maxFileBytes, type Search } from './search.ts';

export interface RipgrepOptions {
  ripgrep: string;
  extra: string[];
  rules: string;
}

const maxErrorLength = 4000;
/** For a text file with a late NUL byte, ripgrep prints this notice between two results. No option disables it. */
const binaryNotice = /^[^\0]*?: WARNING: stopped searching binary file after match \(found [^\n]*\)\n/;

/** Searches the folder and the explicitly named files in two runs, because ripgrep sorts only within a walk. */
export async function searchWithRipgrep(
  toolbox: Toolbox,
  search: Search,
  { ripgrep, extra, rules }: RipgrepOptions,
): Promise<EngineResult> {
  const flags = listFlags(search, writeRules(toolbox, rules));
  const named = extra.filter((path) => search.top === '' || path.startsWith(`${search.top}/`));
  const walked = await runRipgrep(toolbox, search, [ripgrep, ...flags, `./${search.top}`]);
  if (named.length === 0) return walked;
  const others = await runRipgrep(toolbox, search, [ripgrep, ...flags, ...named.map((path) => `./${path}`)]);
  const matches = [...walked.matches, ...others.matches];
  // The sort is stable, so the lines of a file stay in order.
  matches.sort((a, b) => compareByComponent(a.path, b.path));
  return {
    matches: matches.slice(0, search.maxResults),
    truncated: walked.truncated || others.truncated || matches.length > search.maxResults,
    programMs: walked.programMs + others.programMs,
  };
}

async function runRipgrep(toolbox: Toolbox, search: Search, argv: string[]): Promise<EngineResult> {
  const [program = '', ...args] = argv;
  const { searchPath, home, marker } = toolbox;
  const startedAt = performance.now();
  const child = spawn(program, args, {
    cwd: toolbox.workspace,
    env: { PATH: searchPath, HOME: home, LANG: 'C.UTF-8', [markerName]: `${marker}.rg` },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: search.signal,
    killSignal: 'SIGKILL',
  });
  const result: EngineResult = { matches: [], truncated: false, programMs: 0 };
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    if (errors.length < maxErrorLength) errors += chunk.toString('utf8');
  });
  const parse = createParser(search, result);
  child.stdout.on('data', (chunk: Buffer) => {
    parse(chunk);
    if (result.truncated) child.kill('SIGKILL');
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  result.programMs = performance.now() - startedAt;
  if (code === 2 && result.matches.length === 0 && errors !== '') {
    throw new SandboxError('bad_pattern', errors.trim());
  }
  return result;
}

function listFlags(search: Search, rulesFile: string): string[] {
  return [
    '--no-config',
    '--no-messages',
    // Use only the ignore rules of the base commit, not files that the agent can write.
    '--no-ignore',
    `--ignore-file=${rulesFile}`,
    '--hidden',
    '--no-follow',
    '--no-mmap',
    '--encoding=none',
    '--crlf',
    `--max-filesize=${maxFileBytes}`,
    // Uses a single thread, but makes the result deterministic.
    '--sort=path',
    '--null',
    '--line-number',
    '--with-filename',
    '--no-heading',
    '--color=never',
    // In bytes. A UTF-16 unit has at most three, so `cutLine` always cuts again.
    `--max-columns=${search.maxLineLength * 3 + 3}`,
    '--max-columns-preview',
    ...(search.fixed ? ['--fixed-strings'] : ['--engine=auto']),
    search.ignoreCase ? '--ignore-case' : '--case-sensitive',
    `--regexp=${search.pattern}`,
    '--',
  ];
}

/** Each result is `path NUL line : text LF`. A path may contain anything but NUL. */
function createParser(search: Search, result: EngineResult): (chunk: Buffer) => void {
  let held: Buffer = Buffer.alloc(0);
  return (chunk) => {
    held = Buffer.concat([held, chunk]);
    let start = 0;
    for (;;) {
      const nul = held.indexOf(0, start);
      const lineEnd = nul === -1 ? -1 : held.indexOf(10, nul);
      if (lineEnd === -1) break;
      const path = held.toString('utf8', start, nul).replace(binaryNotice, '').replace(/^\.\//, '');
      const rest = held.toString('utf8', nul + 1, lineEnd);
      start = lineEnd + 1;
      if (!search.accepts(path)) continue;
      if (result.matches.length >= search.maxResults) {
        result.truncated = true;
        return;
      }
      const colon = rest.indexOf(':');
      const text = cutLine(rest.slice(colon + 1), search.maxLineLength);
      result.matches.push({ path, line: Number(rest.slice(0, colon)), text });
    }
    held = held.subarray(start);
  };
}

/** Writes the file only if it differs, because writing takes ten times as long as reading. */
function writeRules({ root }: Toolbox, rules: string): string {
  const file = join(root, 'ignore-rules');
  // No ignore rule contains git's own folder.
  const text = `${rules}\n.git\n`;
  if (!hasContent(file, text)) writeFileSync(file, text);
  return file;
}

function hasContent(file: string, text: string): boolean {
  try {
    const { fd } = openRegularFile(file, file);
    try {
      return readFileSync(fd, 'utf8') === text;
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}
