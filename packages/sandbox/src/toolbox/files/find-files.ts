import { compileGlob } from '@fettle/globs';
import type { Requests } from '../../protocol/requests.ts';
import type { FindFilesResult } from '../../protocol/schemas.ts';
import { keepWithinFrame } from '../result-budget.ts';
import type { Toolbox } from '../toolbox.ts';
import { listFiles } from '../tree/list-files.ts';

export async function findFiles(
  toolbox: Toolbox,
  { glob, maxResults }: Requests['findFiles']['params'],
): Promise<FindFilesResult> {
  const matches = compileGlob(glob);
  const found = (await listFiles(toolbox, '')).filter(matches);
  const { kept, truncated } = keepWithinFrame(found, maxResults);
  return { paths: kept, total: found.length, truncated };
}
