import { expect, test } from 'vitest';
import { applyEdits } from './apply-edits.ts';

const edit = (old: string, replacement: string, all = false) => ({ old, new: replacement, all });

test('applies several edits in order', () => {
  expect(applyEdits('a b c', [edit('a', 'b'), edit('b b', 'x')])).toEqual({
    ok: true,
    text: 'x c',
    replaced: 2,
  });
});

test('inserts the new text literally', () => {
  expect(applyEdits('price', [edit('price', '$& $1 $$')])).toEqual({
    ok: true,
    text: '$& $1 $$',
    replaced: 1,
  });
});

test('replaces every occurrence with all', () => {
  expect(applyEdits('x x x', [edit('x', 'y', true)])).toEqual({ ok: true, text: 'y y y', replaced: 3 });
});

test('rejects a text that occurs several times', () => {
  expect(applyEdits('x x', [edit('x', 'y')])).toEqual({
    ok: false,
    reason: 'the old text occurs 2 times. Add surrounding lines until it is unique, or set all to true.',
  });
});

test('shows the actual lines if only the first line matches', () => {
  const result = applyEdits('function a() {\n\treturn 1;\n}\n', [
    edit('function a() {\n  return 1;\n}', 'x'),
  ]);
  expect(result).toEqual({
    ok: false,
    reason:
      'the old text is not in the file. Its first line is at line 1, but the following lines or the white space differ. The file has:\nfunction a() {\n\treturn 1;\n}',
  });
});

test('names the edit that does not match, and applies none', () => {
  expect(applyEdits('a', [edit('a', 'b'), edit('zzz', 'y')])).toEqual({
    ok: false,
    reason:
      'Edit 2: the old text is not in the file. Its first line («zzz») is not in the file either; read the file again.',
  });
});

test('rejects an edit that changes nothing', () => {
  expect(applyEdits('a', [edit('a', 'a')])).toEqual({ ok: false, reason: 'old and new are the same text.' });
});
