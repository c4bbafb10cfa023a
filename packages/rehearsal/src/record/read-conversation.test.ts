import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConversation } from './read-conversation.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rehearsal-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(content: string): Promise<unknown> {
  const file = join(folder, 'conversation.json');
  await writeFile(file, content);
  return readConversation(file);
}

const withBlock = (block: object) => JSON.stringify({ name: 'a', turns: [{ answer: { content: [block] } }] });

test('the example in FORMAT.md is valid', async () => {
  const format = await readExample();
  expect(await read(format)).toEqual(JSON.parse(format));
});

test('the error names a missing file', async () => {
  await expect(readConversation(join(folder, 'none.json'))).rejects.toThrow('none.json: cannot be read');
});

test.each([
  ['{', 'not JSON'],
  ['{"name":"a","turns":[]}', 'turns'],
  ['{"name":"a","turn":[]}', 'Unrecognized key: "turn"'],
  ['{"name":"a","match":{"pattern":"("},"turns":[]}', 'is not a regular expression'],
  [withBlock({ type: 'tool_use', name: 'x' }), 'turns[0].answer.content[0]'],
  [withBlock({ type: 'tool_use', name: 'x', input: [{ $repeat: 5 }] }), 'turns[0].answer.content[0]'],
  [withBlock({ type: 'text', text: { $repeat: { text: 'x', times: 1e9 } } }), 'turns[0].answer.content[0]'],
])('refuses %s', async (content, reason) => {
  await expect(read(content)).rejects.toThrow(reason);
});

async function readExample(): Promise<string> {
  const format = await readFile(new URL('../../FORMAT.md', import.meta.url), 'utf8');
  return format.match(/```json\n([\s\S]+?)```/)?.[1] ?? '';
}
