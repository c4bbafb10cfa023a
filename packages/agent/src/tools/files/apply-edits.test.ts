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

test('takes the new text literally', () => {
  expect(applyEdits('price', [edit('price', '$& $1 $$')])).toEqual({
    ok: true,
    text: '$& $1 $$',
    replaced: 1,
  });
});

test('replaces every place when asked to', () => {
  expect(applyEdits('x x x', [edit('x', 'y', true)])).toEqual({ ok: true, text: 'y y y', replaced: 3 });
});

test('refuses a text that stands in several places', () => {
  expect(applyEdits('x x', [edit('x', 'y')])).toEqual({
    ok: false,
    reason: 'the old text stands in 2 places. Add lines around it until it is unique, or set all to true.',
  });
});

test('shows what really stands there when only the rest differs', () => {
  const result = applyEdits('function a() {\n\treturn 1;\n}\n', [
    edit('function a() {\n  return 1;\n}', 'x'),
  ]);
  expect(result).toEqual({
    ok: false,
    reason:
      'the old text is not in the file. Its first line is at line 1, but what follows or its white space differs. There it reads:\nfunction a() {\n\treturn 1;\n}',
  });
});

test('says which edit does not fit, and applies none', () => {
  expect(applyEdits('a', [edit('a', 'b'), edit('zzz', 'y')])).toEqual({
    ok: false,
    reason:
      'Edit 2: the old text is not in the file. Not even its first line («zzz») is there; read the file again.',
  });
});

test('refuses an edit that changes nothing', () => {
  expect(applyEdits('a', [edit('a', 'a')])).toEqual({ ok: false, reason: 'old and new are the same text.' });
});
