import { findActiveContent } from './active-content.ts';
import { findBeacons } from './beacons.ts';
import { findBinary } from './binary.ts';
import { findConflictMarkers } from './conflict-markers.ts';
import {
  type ContentCheck,
  type ContentFile,
  type ContentObjection,
  type ContentOptions,
  contentRules,
  type Found,
} from './content-rule.ts';
import { findForeignSources } from './dependency-lines.ts';
import { findChangedIntegrity } from './integrity.ts';
import { findInvisible } from './invisible.ts';
import { judgeLockfile } from './lockfile.ts';
import { judgeManifest } from './manifest.ts';
import { readContent } from './read-content.ts';
import { findLongLines, isTooLarge } from './size.ts';

const checks: ContentCheck[] = [
  findLongLines,
  findInvisible,
  findConflictMarkers,
  findBinary,
  findActiveContent,
  findBeacons,
  judgeManifest,
  judgeLockfile,
  findChangedIntegrity,
  findForeignSources,
];

const maxTokenLength = 120;

/**
 * Returns the objections to a changed file, one per rule and token. Without `before`, it reports at least everything
 * it would report with it, so a caller that gets no objection does not have to load the old content; the exceptions
 * are listed in `needsBefore`. Secrets are scanned elsewhere.
 */
export function judgeContent(file: ContentFile, options: ContentOptions = {}): ContentObjection[] {
  // Files over the size limit are not parsed.
  const found: Found[] = isTooLarge(file, options)
    ? [{ rule: 'too-large', token: `${file.after.length} bytes` }]
    : lookInto(file, options);
  const unique = new Map(found.map((each) => [`${each.rule} ${each.token}`, each] as const).toReversed());
  return [...unique.values()].toReversed().map(toObjection);
}

function lookInto(file: ContentFile, options: ContentOptions): Found[] {
  const reading = readContent(file);
  return checks.flatMap((check) => check(reading, options));
}

function toObjection({ rule, line, token }: Found): ContentObjection {
  return {
    rule,
    ...contentRules[rule],
    ...(line !== undefined && { line }),
    ...(token !== undefined && { token: token.slice(0, maxTokenLength) }),
  };
}
