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

/** Made by plain code, where the model could not be asked. The newest come first when there is no room for all. */
export function plainSummary(messages: Message[]): string {
  const lines = messages.flatMap((message) => {
    if (message.role === 'user')
      return message.items.flatMap((item) =>
        item.kind === 'result' && item.isError ? [`- failed: ${firstLine(item.output)}`] : [],
      );
    return message.blocks.flatMap((block) => {
      if (block.kind === 'text') return [`- said: ${firstLine(block.text)}`];
      if (block.kind === 'tool') return [`- called ${block.tool} ${firstLine(JSON.stringify(block.input))}`];
      return [];
    });
  });
  const kept: string[] = [];
  let room = maxSummary;
  for (const line of lines.toReversed()) {
    room -= line.length + 1;
    if (room < 0) break;
    kept.unshift(line);
  }
  return `${plainHeading}\n\n${kept.join('\n')}`;
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, maxLine);
}
