import { commandPlanSchema } from '@fettle/contract';
import { describe, expect, test } from 'vitest';
import { judgeByDefault as judgePath } from './default-path-judge.ts';
import { judgeCommand } from './judge-command.ts';
import { readCommandCorpus } from './testing/corpus.ts';

const cases = readCommandCorpus();

describe('the corpus of command lines', () => {
  test.each(cases.map((one) => ({ ...one, name: `${one.id} ${JSON.stringify(one.input)}` })))(
    '$name',
    (one) => {
      const verdict = judgeCommand(one.input, { judgePath });
      const expected = one.expect === 'contain' ? 'allow' : one.expect;
      expect(verdict).toMatchObject({
        decision: expected,
        ...(one.rule !== undefined && { rule: one.rule }),
      });
      if (verdict.decision === 'allow') expect(commandPlanSchema.parse(verdict.plan)).toEqual(verdict.plan);
      else expect(verdict.reason).not.toBe('');
    },
  );

  test('is large enough, a third of it is harmless, and it has no duplicates', () => {
    expect(cases.length).toBeGreaterThan(400);
    expect(cases.filter(({ expect: decision }) => decision !== 'deny').length).toBeGreaterThan(
      cases.length / 3,
    );
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  });
});

describe('a plan', () => {
  test('contains the whole line, and leaves nothing to a shell', () => {
    const line = 'cd src && CI=1 npm test -- -t "a  b" 2>&1 | tail -5 > out.txt || echo \'$x\' *.ts';
    expect(judgeCommand(line)).toEqual({
      decision: 'allow',
      rules: ['cd', 'npm test', 'tail', 'echo'],
      plan: [
        { when: 'always', commands: [{ argv: [{ text: 'cd' }, { text: 'src' }], env: {}, redirects: [] }] },
        {
          when: 'success',
          commands: [
            {
              argv: ['npm', 'test', '--', '-t', 'a  b'].map((text) => ({ text })),
              env: { CI: '1' },
              redirects: [{ kind: 'duplicate', from: '2', to: '1' }],
            },
            {
              argv: [{ text: 'tail' }, { text: '-5' }],
              env: {},
              redirects: [{ kind: 'write', fd: '1', path: 'out.txt', append: false }],
            },
          ],
        },
        {
          when: 'failure',
          commands: [{ argv: [{ text: 'echo' }, { text: '$x' }, { glob: '*.ts' }], env: {}, redirects: [] }],
        },
      ],
    });
  });

  test('names the rule of each tool that a command starts', () => {
    expect(judgeCommand('npx eslint . && python -m pytest')).toMatchObject({
      rules: ['npx', 'eslint', 'python -m', 'pytest'],
    });
  });
});

describe('a denial', () => {
  test.each([
    ['gti status', 'gti', 'did you mean git?'],
    ['git sttaus', 'sttaus', 'did you mean git status?'],
    ['git log --onelin', '--onelin', 'did you mean --oneline?'],
    ['grep --fil=/etc/passwd x', '--fil', 'did you mean --file?'],
    ['npx eslnt .', 'eslnt', 'did you mean eslint, without a version?'],
    ['npx eslint@8 .', 'eslint@8', 'did you mean eslint, without a version?'],
    ['NODE_EVN=test npm test', 'NODE_EVN=', 'NODE_ENV=… is allowed'],
    ['npm install zod', 'install', 'use install_dependencies'],
    ['./node_modules/.bin/sh -c ls', './node_modules/.bin/sh', expect.stringContaining('npm run')],
    ['find . -name *.ts', '*.ts', 'quote it'],
    ['npm test; echo "exit: $?"', '$?', 'leave it out: the exit code of the line is reported'],
    ['timeout 60 npm test', 'timeout', 'set timeoutSeconds of run_command'],
    ['rustfmt a.rs', 'rustfmt', expect.stringContaining('use cargo fmt')],
    ['bash scripts/a.sh', 'bash', expect.stringContaining('a script of the repository runs through')],
    ['cd src; ls; cd ..', '..', expect.stringContaining('join "cd" and the next command with &&')],
    ['cd a && cd ../.. && ls', '../..', expect.stringContaining('check the number of')],
    ['cat /sandbox/workspace/../x', '/sandbox/workspace/../x', expect.stringContaining('without a slash')],
    ['frobnicate', 'frobnicate', expect.stringMatching(/^use the tools test, build.{100,800}$/)],
  ])('of %j names %j and says: %s', (line, token, instead) => {
    expect(judgeCommand(line)).toMatchObject({ decision: 'deny', token, instead });
  });

  test('says which command of the line it is about', () => {
    expect(judgeCommand('ls && pwd && curl x')).toMatchObject({
      reason: expect.stringMatching(/^command 3 of the line: /),
    });
  });
});

describe('an absolute path', () => {
  const place = (path: string, isPattern = false) => ({ place: path, isPattern });

  test.each([
    ['cat /sandbox/workspace/src/a.ts', place('/sandbox/workspace/src/a.ts')],
    ['cat /home/me/x/workspace/src/a.ts', place('/home/me/x/workspace/src/a.ts')],
    ['node /sandbox/workspace/a.js', place('/sandbox/workspace/a.js')],
    ['npx eslint /sandbox/workspace/src', place('/sandbox/workspace/src')],
    ['git add /sandbox/workspace/src', place('/sandbox/workspace/src')],
    ['ls /tmp', place('/tmp')],
    ['wc -l /tmp/*.log', place('/tmp/*.log', true)],
    ['cp src/a.ts /tmp/a', place('/tmp/a')],
    ['go build -o /tmp/app .', place('/tmp/app')],
  ])('%s is left to the toolbox to find', (line, word) => {
    const verdict = judgeCommand(line);
    const words = verdict.decision === 'allow' ? verdict.plan.flatMap((step) => step.commands[0]?.argv) : [];
    expect(words).toContainEqual(word);
  });

  test.each([
    'cat /sandbox/workspace/../x',
    'cat /sandbox/workspace/.env',
    'cat /home/me/.ssh/../workspace/x',
    'cat /workspace/x/workspace/y',
    'grep --file=/home/me/workspace/x a',
    'git show HEAD:/sandbox/workspace/x',
    'cat /tmp/../etc/passwd',
    'cat //tmp/x',
    'cat /tmpx',
    'cat /tmp/.env',
    'echo x > /tmp/r/.git/config',
    'sed -n "1r /tmp/x" a',
    'node /tmp/x.js',
    'node -r /tmp/x.js a.js',
    'python /tmp/x.py',
    'make -f /tmp/Makefile',
    'make -C /tmp',
    'npx eslint -c /tmp/x.js .',
    'git -C /tmp/r status',
    'git add /tmp/x',
    '/tmp/x',
    'mv src /tmp',
    'mv /tmp/x src',
    'rm -rf /tmp',
    'rm -rf /tmp/*',
    'cd /tmp && npm test',
    'cd /tmp/r && git status',
    'cd /tmp && ./x',
    'cd /tmp && node x.js',
    'cd /tmp && cat ../etc/passwd',
    'cd /tmp && python -c "print(1)"',
    'cd /tmp; npm test',
    'cp -r . /tmp/x',
    'find /tmp -exec id +',
    'ls > /tmp/../x',
  ])('%s is denied', (line) => expect(judgeCommand(line)).toMatchObject({ decision: 'deny' }));

  test.each([
    'cd /tmp/x && grep -n a b.txt > c && cat c',
    'cd /tmp && cd /sandbox/workspace && npm test',
    'cd /sandbox/workspace/src && cat ../a',
    'npm test > /tmp/log 2>&1; tail -5 /tmp/log',
    "cat > /tmp/notes <<'EOF'\nx\nEOF",
    'cd /tmp/a && cat ../b',
    'ls; cd; cat < /tmp/x',
    // It runs only if cd has failed.
    'cd /tmp/x || make',
  ])('%s is allowed', (line) => expect(judgeCommand(line)).toMatchObject({ decision: 'allow' }));
});

describe('where a line is', () => {
  test.each([
    ['cd a && cat ../b', 'allow'],
    ['cd a; cat ../b', 'deny'],
    ['cd a || cat ../b', 'deny'],
    ['cd a/b && cd .. && cat ../c', 'allow'],
    ['cd a && ls; cat ../b', 'deny'],
    ['cd a && ls && cat ../b', 'allow'],
    ['cd a && cat ../../b', 'deny'],
    ['cd a && cd && cat ../b', 'deny'],
    ['cd a && echo x > ../b', 'allow'],
    ['cd a && cat .env', 'deny'],
  ])('%s: %s', (line, decision) => {
    expect(judgeCommand(line, { judgePath })).toMatchObject({ decision });
  });

  test('a line that could be in very many folders is refused', () => {
    const line = Array.from({ length: 40 }, (_, index) => `cd f${index}`).join('; ');
    expect(judgeCommand(line)).toMatchObject({ decision: 'deny', rule: 'cd' });
  });
});

test('an overlong line is denied before it is parsed', () => {
  for (const line of [`echo ${'a '.repeat(10_000)}`, `ls ${'| cat '.repeat(30)}`])
    expect(judgeCommand(line)).toMatchObject({ decision: 'deny', rule: 'shell/too-long' });
});
