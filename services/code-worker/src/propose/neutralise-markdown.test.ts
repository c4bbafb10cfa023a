import { expect, test } from 'vitest';
import { neutraliseMarkdown, neutraliseReferences } from './neutralise-markdown.ts';

const gap = '\u200b';

test.each([
  ['an open fence is closed', '```js\na', '```js\na\n```'],
  ['a longer fence is closed by as many signs', '~~~~\n~~~\nb', '~~~~\n~~~\nb\n~~~~'],
  ['HTML is shown as text', 'a <!-- b <img src=x>', `a <${gap}!-- b <${gap}img src=x>`],
  ['an entity is shown as it is', '&commat;ada', `&${gap}commat;ada`],
  ['an image becomes a link', '![a](b)', `!${gap}[a](b)`],
  ['a link definition defines nothing', '[x]: https://a.example', `[x]${gap}: https://a.example`],
  ['nor does a footnote', '> [^1]: see', `> [^1]${gap}: see`],
  ['nor one over several lines', '[x\ny]:\n/z', `[x\ny]${gap}:\n/z`],
  ['a mention notifies nobody', 'ask @team/a', `ask @${gap}team/a`],
  ['a closing keyword closes nothing', 'Fixes #12, closes o/r#3', `Fixes #${gap}12, closes o/r#${gap}3`],
  ['nor does a reference without a number sign', 'fixes GH-7', `fixes GH-${gap}7`],
  ['a heading is not a section', '### To look at', '\\### To look at'],
  ['nor is one in a list', '- > ### To look at', '- > \\### To look at'],
  ['nor a line under a text', 'Proof\n  ---', 'Proof\n  \\---'],
  ['a list stays a list', '- one\n- two', '- one\n- two'],
  ['a code span looks the same', 'use `<a>`', `use \`<${gap}a>\``],
  ['a block of code stays as it is', '```\n<b>@x</b>\n```', '```\n<b>@x</b>\n```'],
  ['characters that turn the text around are removed', 'a\u202eb', 'ab'],
])('%s', (_, text, expected) => {
  expect(neutraliseMarkdown(text, 1_000)).toBe(expected);
});

/** Markdown ends these blocks of code elsewhere than a reader that looks for fences only. */
test.each([
  '* see\n  ```\n<!-- closes #12 @team',
  '1. see\n   ~~~\n![pixel](http://a.example/p.png) @team fixes #1',
  '``` a`b\n<!-- closes #12 @team',
  '\\`<details>… @team closes #12\\`',
  'x ```<details> @team ![a](b)',
  '> ```\n<!-- @team',
  '```\na\n ```\n@octocat closes #1 ![a](b) <!--',
  '```\na\n   ````\t\n@octocat closes #1 ![a](b) <!--',
  ' ```\na\n```\n@octocat closes #1 ![a](b) <!--',
  '- a\n  ~~~\n  b\n~~~\n@octocat closes #1 ![a](b) <!--',
])('nothing is live behind %j', (text) => {
  const safe = neutraliseMarkdown(text, 1_000);
  expect(safe).not.toMatch(/<[!a-z]|!\[|@\w|#\d/i);
});

test.each([
  '```\n    ```\n<b>\n```',
  '```\n\t```\n<b>\n```',
  '````\n ```\n<b>\n````',
  '```\n ``` a\n<b>\n```',
])('a fence that closes nothing leaves the block open: %j', (text) =>
  expect(neutraliseMarkdown(text, 1_000)).toBe(text),
);

test('text is cut, and a fence that the cut leaves open is closed', () => {
  expect(neutraliseMarkdown('```\nabcdef', 8)).toBe('```\nabcd…\n```');
});

test('a commit message closes no issue', () => {
  expect(neutraliseReferences('Fixes #12\n\n- a')).toBe(`Fixes #${gap}12\n\n- a`);
});
