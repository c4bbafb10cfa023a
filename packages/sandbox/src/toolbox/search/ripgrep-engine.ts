import { spawn } from 'node:child_process';
import { markerName } from '../../proc/processes.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import type { Toolbox } from '../toolbox.ts';
import { compareByComponent } from '../tree/list-files.ts';
import { cutLine } from './cut-line.ts';
import { writeRules } from './rules-file.ts';
import { type EngineResult, maxFileBytes, type Search } from './search.ts';

export interface RipgrepOptions {
  ripgrep: string;
  extra: string[];
  rules: string;
}

const maxErrorLength = 4000;
/** A text file with a NUL far inside: ripgrep says so between two results and has no option not to. */
const binaryNotice = /^[^\0]*?: WARNING: stopped searching binary file after match \(found [^\n]*\)\n/;

/** The walk and the files named one by one are two runs, since ripgrep sorts only within what it walks. */
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
  // The sort is stable, so the lines of one file stay in order.
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
    // Which files count is decided by the base commit's rules, not by files that the agent can write.
    '--no-ignore',
    `--ignore-file=${rulesFile}`,
    '--hidden',
    '--no-follow',
    '--no-mmap',
    '--encoding=none',
    '--crlf',
    `--max-filesize=${maxFileBytes}`,
    // One thread, but the same answer every time.
    '--sort=path',
    '--null',
    '--line-number',
    '--with-filename',
    '--no-heading',
    '--color=never',
    // In bytes, of which a UTF-16 unit takes three at most: whatever is cut here is cut again by us.
    `--max-columns=${search.maxLineLength * 3 + 3}`,
    '--max-columns-preview',
    ...(search.fixed ? ['--fixed-strings'] : ['--engine=auto']),
    search.ignoreCase ? '--ignore-case' : '--case-sensitive',
    `--regexp=${search.pattern}`,
    '--',
  ];
}

/** Output is `path NUL line : text LF`, again and again; a path may hold anything but NUL. */
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
