/** What people say to an operation while it is worked on. */
import { z } from 'zod';
import { prose } from './request.ts';

export const messageInputSchema = z.strictObject({ text: prose(10_000) });

/** How many messages may wait for the agent at a time. */
export const maxWaitingMessages = 20;

/** Messages of one operation are numbered 1, 2, 3 … in the order in which they were taken. */
export const saidSchema = z.object({ number: z.int().positive(), by: z.string(), text: z.string() });
export type Said = z.infer<typeof saidSchema>;

export const messageSchema = saidSchema.extend({
  saidAt: z.iso.datetime(),
  seenAt: z.iso.datetime().nullable().describe('When the turn began in which the agent was told'),
  seenInTurn: z.int().nullable(),
});
export type Message = z.infer<typeof messageSchema>;
export const messageListSchema = z.object({ messages: z.array(messageSchema) });
