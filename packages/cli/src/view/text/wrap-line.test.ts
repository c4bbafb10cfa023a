import { expect, test } from 'vitest';
import { copyable, dim, type Line, renderLine } from '../line.ts';
import { wrapText } from './text-width.ts';
import { type WrapOptions, wrapLine } from './wrap-line.ts';

const show = (line: Line, options: WrapOptions) =>
  wrapLine(line, options).map((each) => renderLine(each, { width: options.width, color: false }));

test('breaks between words, with an indent that leaves room on a narrow terminal', () => {
  const line: Line = ['✓ ok  ', 'server  ', 'not running; fettle up starts one'];
  expect(show(line, { width: 26, indent: 14 })).toEqual([
    '✓ ok  server  not running;',
    '    fettle up starts one',
  ]);
  expect(show(line, { width: 40, indent: 8 })).toEqual([
    '✓ ok  server  not running; fettle up',
    '        starts one',
  ]);
  expect(show(line, { width: 80 })).toEqual(['✓ ok  server  not running; fettle up starts one']);
});

test('a long word is broken, and nothing is lost', () => {
  expect(show(['a ', dim('x'.repeat(12)), ' b'], { width: 5 })).toEqual(['a', 'xxxxx', 'xxxxx', 'xx b']);
  expect(wrapText(`see ${'x'.repeat(12)} b`, 5)).toEqual(['see', 'xxxxx', 'xxxxx', 'xx b']);
});

test('code is broken anywhere, and keeps its spaces', () => {
  expect(show(['+  a  b', ' c'], { width: 5, at: 'character' })).toEqual(['+  a', ' b c']);
});

test('wide characters count twice, and text for copying is never broken', () => {
  expect(show(['漢字漢字'], { width: 5 })).toEqual(['漢字', '漢字']);
  expect(show(['run ', copyable('fettle show op_1')], { width: 10 })).toEqual(['run', 'fettle show op_1']);
});

test('styles stay on every line', () => {
  expect(wrapLine([dim('one two')], { width: 4 })).toEqual([[dim('one')], ['', dim('two')]]);
});

test('the narrowest width ends', () => {
  expect(show(['漢ab c'], { width: 2 })).toEqual(['漢', 'ab', 'c']);
});
