import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type Conversation, conversationSchema } from './conversation.ts';

/** A record that cannot be played. The message names the file and the place in it. */
export class ConversationError extends Error {
  override name = 'ConversationError';
}

export async function readConversation(file: string): Promise<Conversation> {
  const parsed = conversationSchema.safeParse(await readJson(file));
  if (!parsed.success) throw new ConversationError(`${file}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConversationError(`${file}: cannot be read`, { cause });
  });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConversationError(`${file}: not JSON`, { cause });
  }
}
