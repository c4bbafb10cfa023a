/** What stands in the place of the turns that the model does not see any more. */
import type { Message } from '../model/model.ts';

export const summaryRequest = `(Fettle: the conversation is about to be shortened; the newest turns stay. Do not call a tool now. Write what you will need to go on, short and exact, under these headings:
## Goal
What was asked for, and what people said later.
## Decisions
What was decided, and why.
## Files touched
Each path, and what was done there.
## What failed and why
## What is next)`;

const heading = '(Fettle: the turns before were left out to save room. This is what you wrote of them.)';
const plainHeading =
  '(Fettle: the turns before were left out to save room. This is what the record says of them in short.)';

const maxSummary = 24_000;

export function writtenSummary(text: string): string {
  return `${heading}\n\n${text.slice(0, maxSummary)}`;
}

const maxLine = 300;
/** As long as a person's message may be. */
const maxTold = 10_000;

/**
 * Made by plain code, where the model could not be asked. Where there is no room for all, the newest come first, and
 * before everything what was told: by people, by checks, by the summary before this one.
 */
export function plainSummary(messages: Message[]): string {
  // Behind the request, which stays where it is.
  const lines = messages.flatMap(linesOf).slice(1);
  const newest = [...lines.keys()].reverse();
  const isTold = (index: number) => lines[index]?.startsWith(told);
  const kept = new Set<number>();
  let room = maxSummary;
  for (const index of [...newest.filter(isTold), ...newest.filter((each) => !isTold(each))]) {
    room -= (lines[index]?.length ?? 0) + 1;
    if (room < 0) break;
    kept.add(index);
  }
  return `${plainHeading}\n\n${lines.filter((_line, index) => kept.has(index)).join('\n')}`;
}

const told = '- was told: ';

function linesOf(message: Message): string[] {
  if (message.role === 'user')
    return message.items.flatMap((item) => {
      if (item.kind === 'text') return [`${told}${item.text.slice(0, maxTold)}`];
      return item.isError ? [`- failed: ${firstLine(item.output)}`] : [];
    });
  return message.blocks.flatMap((block) => {
    if (block.kind === 'text') return [`- said: ${firstLine(block.text)}`];
    if (block.kind === 'tool') return [`- called ${block.tool} ${firstLine(JSON.stringify(block.input))}`];
    return [];
  });
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, maxLine);
}
