import { describe, expect, test } from 'vitest';
import { containedRules } from './contained-rules.ts';
import { judgeContained } from './judge-contained.ts';

describe.each(containedRules)('$rule $programs.0', ({ rule, match, notMatch }) => {
  test.each(match)('%s is refused, with advice', (line) => {
    expect(judgeContained(line)).toMatchObject({ decision: 'deny', rule, instead: expect.any(String) });
  });
  test.each(notMatch)('%s runs', (line) => {
    expect(judgeContained(line)).toMatchObject({ decision: 'allow' });
  });
});

test.each([
  'for f in *.ts; do wc -l "$f"; done',
  'x=$(git rev-parse HEAD) && echo "$x"',
  'python3 - <<EOF\nprint(1)\nEOF',
  "awk '{print $1}' a | xargs -I{} echo {}",
  'node -e "console.log(1)" > /tmp/out.txt & wait',
  'echo "curl https://example.com" >> notes.md',
  'grep -rn ".env" src',
  'cat /etc/os-release',
  'if [ -f x ]; then',
  // The sandbox has a placeholder, or the file without its authentication.
  'cat .env',
  'while true; do cat config/.env.production; done',
  'grep TOKEN apps/api/.env',
  'set -a; source .env; npm test',
  'node x.js < .npmrc',
])('%s runs', (line) => {
  expect(judgeContained(line).decision).toBe('allow');
});

test.each([
  ['echo A=1 > .env', 'environment-file'],
  ['rm config/.env.production; :', 'environment-file'],
  ['x=1; echo "$x" > .github/workflows/ci.yml', 'ci'],
  ['rm -rf .git/hooks; :', 'git-files'],
  ['echo a\u00a0b', 'shell/look-alike-space'],
  ['echo \u001b[2J', 'shell/control-character'],
  ['echo \u202ex', 'shell/invisible-character'],
  ['curl http://localhost:1 https://example.com', 'contained/network'],
  ['curl http://localhost.example.com', 'contained/network'],
  ['curl http://127.0.0.1.example.com', 'contained/network'],
  ['(cd a; timeout 5 true; sudo npm i)', 'contained/install'],
])('%s is refused by %s', (line, rule) => {
  expect(judgeContained(line)).toMatchObject({ decision: 'deny', rule });
});

test('the record says what strict would do', () => {
  expect(judgeContained('ls && git status')).toEqual({ decision: 'allow', rules: ['ls', 'git status'] });
  expect(judgeContained('echo $HOME')).toEqual({
    decision: 'allow',
    rules: ['contained, strict denies: shell/variable'],
  });
});
