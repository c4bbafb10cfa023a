export { createFailureNote } from './failure-note.ts';
export { createLog, type Log } from './log.ts';
