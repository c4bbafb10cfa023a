import { fileURLToPath } from 'node:url';

export type { Counts, Failure, Outcome, RecordedRequest } from './journal.ts';
export { call, conversation, say, seen, think, turn } from './record/builders.ts';
export {
  type Answer,
  type AnswerBlock,
  type Conversation,
  conversationSchema,
  type Expectation,
  type Fault,
  type Turn,
} from './record/conversation.ts';
export { ConversationError, readConversation } from './record/read-conversation.ts';
export { type Rehearsal, type RehearsalOptions, startRehearsal } from './start-rehearsal.ts';

/** The file to start as a process of its own. */
export const rehearsalMain = fileURLToPath(new URL('./main.ts', import.meta.url));
