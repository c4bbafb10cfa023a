/** A plan does the same as sh with the same line: the same output, exit code and files. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { planOf } from '../src/testing/plan-of.ts';
import { startTestSandbox } from '../src/testing/test-sandbox.ts';

/** Two programs write at the same time, so the order of their output is random, also with sh. */
const unordered = ["sh -c 'echo out ; echo err >&2' >&2 2> /dev/null | wc -l"];

const lines = [
  ...unordered,
  // Steps.
  'true',
  'false',
  'true && echo yes',
  'false && echo no',
  'false || echo yes',
  'true || echo no',
  'false && echo no || echo yes',
  'true || echo no && echo yes',
  'false || false || echo third',
  'true && false ; echo after',
  'echo one ; false ; echo two',
  "sh -c 'exit 3' ; true ; sh -c 'exit 4'",
  "sh -c 'exit 3' && echo no",
  // Pipes.
  'cat a.txt | tr a-z A-Z | sort -r | head -1',
  'cat a.txt b.txt | wc -l',
  'false | true',
  'true | false || echo second',
  "sh -c 'exit 3' | sh -c 'exit 4'",
  'yes | head -1',
  'yes | head -3 | tail -1 && echo done',
  'seq 1 100000 | head -2',
  'seq 1 300000 | wc -c',
  "seq 1 300000 | sh -c 'sleep 0.2 && wc -c'",
  'cat /dev/zero | true && echo done',
  "sh -c 'echo err >&2' | cat | wc -l",
  'echo a | cat | cat | cat | cat | cat | cat | cat | cat | cat | cat | cat | cat | cat | cat | cat',
  "echo one | sh -c 'cat && echo two > /dev/stdout && echo three > /dev/stderr'",
  "echo one two | sh -c 'read first rest ; echo $rest' | cat",
  "cat a.txt | sh -c 'sleep 0.2 && cat /dev/stdin'",
  "sh -c 'sleep 0.2 && echo x > /dev/stdout' 2> /dev/null | true",
  'wc -c',
  // Redirections.
  'cat < a.txt > copy.txt',
  'sort < b.txt | uniq -c > counts.txt ; cat counts.txt',
  'echo more >> a.txt && cat a.txt',
  'echo less > a.txt && cat a.txt',
  'echo new >> made.txt && echo newer >> made.txt && cat made.txt',
  'ls nowhere 2> err.txt || echo gone',
  'ls nowhere 2>> a.txt ; wc -l a.txt',
  'ls nowhere > out.txt 2>&1 ; wc -l out.txt',
  'ls nowhere 2>&1 > out.txt | wc -l',
  "sh -c 'echo out ; echo err >&2' 2>&1 | sort",
  "sh -c 'echo out ; echo err >&2' 2> /dev/null | cat",
  "sh -c 'echo out ; echo err >&2' 2> /dev/null >&2",
  "sh -c 'echo output ; echo err >&2' > same.txt 2> same.txt",
  "sh -c 'echo out ; echo err >&2' > same.txt 2>> same.txt",
  'cat < a.txt < b.txt',
  'echo last > one.txt > two.txt',
  'cat a.txt | cat < b.txt',
  'echo unseen > out.txt | wc -c',
  'cat < /dev/null | wc -c',
  'echo x > /dev/null && echo y',
  'tee one.txt two.txt < a.txt | wc -l && diff two.txt one.txt && echo same',
  'echo text > sub/made.txt && cat sub/made.txt',
  'echo *.txt > new.txt && cat new.txt',
  'cat 2> /dev/null < nowhere.txt || echo failed',
  'echo x 2> /dev/null > nowhere/x || echo failed',
  'cat a.txt | cat 2> /dev/null < nowhere.txt || echo failed',
  'cat 2> /dev/null < nowhere.txt | wc -l',
  // Variables.
  "NAME=value sh -c 'echo $NAME'",
  "NAME='a b' OTHER= sh -c 'echo $NAME-$OTHER'",
  "NAME=a sh -c 'echo $NAME' | NAME=b sh -c 'cat ; echo $NAME'",
  "NAME=value true && sh -c 'echo -$NAME-'",
  'PATH=/nowhere ls 2> /dev/null || echo failed',
  // Folders.
  'cd sub && ls',
  'cd sub && cat < c.txt && cd .. && cat < a.txt',
  'cd sub/deep ; cd ../.. ; ls a.txt',
  'cd nowhere 2> /dev/null || echo stays',
  'cd a.txt 2> /dev/null || echo stays',
  'cd sub && echo x > new.txt && cd .. && cat sub/new.txt',
  'cd sub && cat < ../a.txt && echo ../*.txt',
  'cd link && ls && cd .. && ls a.txt',
  'cd -- sub && ls',
  'cd sub-* && ls',
  'cd ./sub/../sub/. && ls',
  'cd sub > log.txt && ls ../log.txt',
  // Patterns.
  'echo *',
  'echo *.txt',
  'echo * */*',
  'echo sub/*',
  'echo */*.txt',
  'echo */',
  'echo */*/',
  'echo .h*',
  'echo .[a-z]*',
  'echo [ab].txt',
  'echo [!a]*.txt',
  'echo [A-Z]*',
  'echo []a].txt',
  'echo a.t?? sub/?.txt',
  'echo ??',
  'echo *.none',
  'echo nowhere/*',
  "echo 'a'*",
  "echo '*'.txt",
  "echo '*'*.none",
  'echo \\*.txt a\\.*',
  'echo ./*.txt',
  'echo sub/**',
  'echo **/c.txt',
  'echo link/* link/c*',
  'echo */deep/*',
  'echo sub/../*.txt',
  'echo sub//c*',
  'echo [ [a a[',
  "printf '[%s]' *' '* n*w*",
  'cat s*/c.txt | wc -l',
  'ls -d *b*',
  // Programs that cannot be started.
  'nosuch-program 2> /dev/null',
  'nosuch-program 2> /dev/null || echo failed',
  'nosuch-program 2> /dev/null | cat && echo went on',
  'echo x | nosuch-program 2> /dev/null',
  'yes | nosuch-program 2> /dev/null',
  'nosuch-program 2>&1 | wc -l',
  './a.txt 2> /dev/null',
  './sub 2> /dev/null',
  './nowhere 2> /dev/null',
  "'' 2> /dev/null || echo failed",
];

const treeFiles: Record<string, string> = {
  'a.txt': 'alpha\nbeta\n',
  'b.txt': 'one\ntwo\none\n',
  '.hidden': '',
  'with space.txt': '',
  'new\nline': '',
  'Upper.TXT': '',
  'ünï.txt': '',
  '💡.txt': '',
  '\uffee.txt': '',
  'a[': '',
  'sub/c.txt': 'c\n',
  'sub/-dash': '',
  'sub/.inside': '',
  'sub/deep/d.txt': 'd\n',
  'sub-b/c.txt': 'c\nc\n',
};

it('does the same as sh', { timeout: 300_000 }, async () => {
  const { sandbox, workspace } = await startTestSandbox();
  for (const [name, content] of Object.entries(treeFiles)) {
    await sandbox.writeFile(`laid-out/${name}`, Buffer.from(content));
  }
  await sandbox.run({ command: 'ln -s sub laid-out/link' });
  const differences: unknown[] = [];
  for (const [at, line] of lines.entries()) {
    const [ours, theirs] = [`ours-${at}`, `theirs-${at}`];
    await sandbox.run({ command: `cp -a laid-out ${ours} && cp -a laid-out ${theirs}` });
    const { exitCode, signal, output } = await sandbox.run({ plan: planOf(line), cwd: ours });
    const sh = await sandbox.run({ command: line, cwd: theirs });
    const inOrder = (text: string) => (unordered.includes(line) ? text.split('\n').sort().join('\n') : text);
    const got = { exitCode, signal, output: inOrder(output), files: readChanges(join(workspace, ours)) };
    const wanted = {
      exitCode: sh.exitCode,
      signal: sh.signal,
      output: inOrder(sh.output),
      files: readChanges(join(workspace, theirs)),
    };
    if (JSON.stringify(got) !== JSON.stringify(wanted)) differences.push({ line, got, wanted });
  }
  expect(differences).toEqual([]);
});

/** Files that are new or changed. */
function readChanges(folder: string): Record<string, string> {
  const contents = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(join(folder, 'link')))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path): [string, string] => [relative(folder, path), readFileSync(path, 'utf8')]);
  return Object.fromEntries(contents.filter(([name, content]) => treeFiles[name] !== content));
}
