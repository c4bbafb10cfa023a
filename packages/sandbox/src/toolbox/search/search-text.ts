import { lstatSync } from 'node:fs';
import { compileGlob } from '@fettle/globs';
import type { SearchTextParams } from '../../protocol/requests.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import type { SearchTextResult } from '../../protocol/schemas.ts';
import { show } from '../../protocol/workspace-path.ts';
import { resolveForReading } from '../files/resolve-path.ts';
import { keepWithinFrame } from '../result-budget.ts';
import type { Call } from '../serve.ts';
import type { Toolbox } from '../toolbox.ts';
import { listTrackedAndIgnored } from '../tree/list-files.ts';
import { searchWithNode } from './node-engine.ts';
import { searchWithRipgrep } from './ripgrep-engine.ts';
import type { Search } from './search.ts';

/** The maximum number of extra paths on ripgrep's command line. */
const maxExtraPaths = 500;

export async function searchText(
  toolbox: Toolbox,
  params: SearchTextParams,
  { signal }: Call,
): Promise<SearchTextResult> {
  const realTop = resolveForReading(toolbox.workspace, params.path ?? '', { last: 'follow' });
  const limit = AbortSignal.timeout(params.timeoutMs);
  const search: Search = {
    pattern: params.pattern,
    fixed: params.fixed ?? false,
    ignoreCase: params.ignoreCase ?? false,
    top: realTop.slice(toolbox.workspace.length + 1),
    topKind: lstatSync(realTop).isDirectory() ? 'directory' : 'file',
    accepts: params.glob === undefined ? () => true : compileGlob(params.glob),
    maxResults: params.maxResults,
    maxLineLength: params.maxLineLength,
    signal: AbortSignal.any([signal, limit]),
  };
  const { engine, found } = await chooseEngine(toolbox, search).catch((error) => {
    throw limit.aborted ? tookTooLong(params) : error;
  });
  const { kept, truncated } = keepWithinFrame(found.matches, search.maxResults);
  return { matches: kept, truncated: truncated || found.truncated, engine, programMs: found.programMs };
}

async function chooseEngine(toolbox: Toolbox, search: Search) {
  const { ripgrep, index, ignoreRules } = toolbox;
  if (ripgrep !== undefined) {
    // Ripgrep does not know which files are tracked, so tracked files that the rules match are passed explicitly.
    const extra = search.topKind === 'file' || index.size === 0 ? [] : listTrackedAndIgnored(toolbox);
    if (extra.length <= maxExtraPaths) {
      const rules = ignoreRules.asRootFile();
      return {
        engine: 'rg' as const,
        found: await searchWithRipgrep(toolbox, search, { ripgrep, extra, rules }),
      };
    }
  }
  return { engine: 'node' as const, found: await searchWithNode(toolbox, search) };
}

function tookTooLong({ pattern, timeoutMs }: SearchTextParams): SandboxError {
  return new SandboxError(
    'timeout',
    `searching for ${show(pattern)} took longer than ${timeoutMs} ms: name a path or use a simpler pattern`,
  );
}
