import { createPathJudge } from '@fettle/policy';
import { expect, test } from 'vitest';
import { createChangeJudge } from './judge-change.ts';

const judge = createChangeJudge({
  judgePath: createPathJudge(),
  judgeContent: () => [],
  judgeSecrets: async () => [],
  readBase: async () => undefined,
});

test.each([
  ['docs/link', '/etc/passwd', 'outside'],
  ['link', '/proc/self/environ', 'outside'],
  ['docs/link', '../../x', 'outside'],
  ['docs/link', '../.env', 'environment-file'],
  ['docs/link', '../src/a.ts', undefined],
])('a link %s to %s', async (path, target, rule) => {
  const objections = await judge({ path, kind: 'symlink', bytes: Buffer.from(target) });
  expect(objections.map((each) => each.rule)).toEqual(rule === undefined ? [] : [rule]);
});
