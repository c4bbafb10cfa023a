export type { Counts, Failure, Outcome, RecordedRequest } from './journal.ts';
export { call, conversation, conversationFor, say, seen, stopped, think, turn } from './record/builders.ts';
export type {
  Answer,
  AnswerBlock,
  Conversation,
  Fault,
  Turn,
} from './record/conversation.ts';
export { readConversation } from './record/read-conversation.ts';
export { type Rehearsal, type RehearsalOptions, startRehearsal } from './start-rehearsal.ts';
