/** Messages from people to the agent of a running operation. */
import { z } from 'zod';
import { prose } from './request.ts';

export const messageInputSchema = z.strictObject({ text: prose(10_000) });

/** How many unseen messages an operation can have. */
export const maxWaitingMessages = 20;

/** The messages of an operation are numbered 1, 2, 3 … in the order in which they were accepted. */
export const saidSchema = z.object({ number: z.int().positive(), by: z.string(), text: z.string() });
export type Said = z.infer<typeof saidSchema>;

export const messageSchema = saidSchema.extend({
  saidAt: z.iso.datetime(),
  seenAt: z.iso.datetime().nullable().describe('When the turn started in which the agent saw the message'),
  seenInTurn: z.int().nullable(),
});
export type Message = z.infer<typeof messageSchema>;
export const messageListSchema = z.object({ messages: z.array(messageSchema) });
