import type { ContentFile, ContentObjection, ContentOptions } from './content/content-rule.ts';
import { judgeContent } from './content/judge-content.ts';
import { judgePath, type PathOptions } from './paths/judge-path.ts';
import type { Objection } from './verdict.ts';

/** All objections to writing a file, by path and by content, most severe first. */
export function judgeFile(
  file: ContentFile,
  options: PathOptions & ContentOptions = {},
): (Objection | ContentObjection)[] {
  const byPath = judgePath(file.path, 'write', options);
  const all = [...(byPath.decision === 'allow' ? [] : [byPath]), ...judgeContent(file, options)];
  const isDenied = ({ decision }: Objection) => decision === 'deny';
  return [...all.filter(isDenied), ...all.filter((each) => !isDenied(each))];
}
