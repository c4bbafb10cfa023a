import { expect, test } from 'vitest';
import { runTool } from '../testing/run-tool.ts';
import { readJunit } from './read-junit.ts';

const nodeTest = `import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
describe('suite', () => {
  it('a < b & "c"', () => assert.equal(1, 2));
  it('ok', () => {});
  it('later', { skip: true }, () => {});
});
`;
const command = 'node --test --test-reporter=junit --test-reporter-destination=junit.xml';
const vitest = nodeTest.replace('node:test', 'vitest');

test('node:test: failing tests', async () => {
  const files = { 'src/a.test.mjs': nodeTest };
  const { report, exitCode } = await runTool(command, files, { reports: ['junit.xml'] });
  expect(exitCode).toBe(1);
  expect(report).toMatchObject({
    ...{ tool: 'junit', passed: 1, failed: 1, skipped: 1 },
    // Node itself escapes quotation marks twice.
    failures: [{ name: expect.stringMatching(/^suite a < b & /), file: 'src/a.test.mjs', line: 4 }],
  });
});

test('vitest: failing tests are not counted again from the output', async () => {
  const { report } = await runTool(
    'vitest run --reporter=default --reporter=junit --outputFile.junit=out/junit.xml',
    { 'src/a.test.mjs': vitest },
    { reports: ['out/junit.xml'] },
  );
  expect(report).toMatchObject({
    ...{ tool: 'junit', passed: 1, failed: 1, skipped: 1 },
    failures: [{ name: 'suite > a < b & "c"', file: 'src/a.test.mjs', line: 4 }],
  });
});

test('passing tests, and an empty report', async () => {
  const files = { 'a.test.mjs': "import test from 'node:test';\ntest('fine', () => {});\n" };
  const { report } = await runTool(command, files, { reports: ['junit.xml'] });
  expect(report).toEqual({ tool: 'junit', passed: 1, failed: 0, skipped: 0, failures: [] });
  expect(readJunit('<testsuites/>')).toEqual({ passed: 0, failed: 0, skipped: 0, failures: [] });
});

test.each([
  ['truncated', '<testsuites><testsuite><testcase name="a">'],
  ['an attribute that does not end', '<testsuite name="a'],
  ['wrong closing tag', '<testsuites><testsuite></testsuites></testsuite>'],
  ['not a report', '<html><testcase name="a"/></html>'],
  ['not XML', 'not even that'],
  ['with its own entities', '<!DOCTYPE a [<!ENTITY e "eeee">]><testsuite><testcase name="&e;"/></testsuite>'],
  ['too deep', `${'<testsuite>'.repeat(60)}${'</testsuite>'.repeat(60)}`],
])('not read: %s', (_, xml) => {
  expect(readJunit(xml)).toBeUndefined();
});

test('entities, CDATA, comments and both kinds of quotes', () => {
  const xml = `<?xml version="1.0"?><!-- <testcase> --><testsuite name='s'>
    <testcase classname="com.example.T" name="a&#10;b&#x41;&unknown;" file='x.java' line="7"
      ><failure message="m &lt;1&gt;"><![CDATA[<not> &amp; a tag]]></failure><system-out>x.js:1:1</system-out></testcase >
    <testcase name="e"><error>T.java:9 was wrong</error></testcase>
  </testsuite>`;
  expect(readJunit(xml)).toEqual({
    passed: 0,
    failed: 2,
    skipped: 0,
    failures: [
      { file: 'x.java', line: 7, name: 'com.example.T a\nbA&unknown;', message: 'm <1>\n<not> &amp; a tag' },
      { file: 'T.java', line: 9, name: 'e', message: 'T.java:9 was wrong' },
    ],
  });
});
