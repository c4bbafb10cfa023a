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
 * What is to be said of a changed file, one objection for each rule and token. Without `before` something is said wherever
 * something would be said with it, so that whoever hears nothing need not look for it: but for what `needsBefore` names.
 * Secrets are somebody else's.
 */
export function judgeContent(file: ContentFile, options: ContentOptions = {}): ContentObjection[] {
  // What is too large is not looked into.
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
