export type { CallSurroundings, Saved } from './call-tool.ts';
export { type Conversation, lastWordsOf, startConversation } from './conversation.ts';
export { noHooks } from './hooks.ts';
export { createKeptOutputs } from './kept-outputs.ts';
export { defaultLoopThreshold } from './loops/limits.ts';
export { createLoopWatch, type LoopWatch } from './loops/loop-watch.ts';
export { noteTurn } from './loops/note-turn.ts';
export type { LoopVerdict, NotedTurn } from './loops/noted-turn.ts';
export { createModel, type ModelChoice } from './model/create-model.ts';
export type { Message, Model } from './model/model.ts';
export { costOf, pricesOf } from './model/prices.ts';
export { createPace } from './pace.ts';
export { noSecretTokens, type PutBack, type SecretTokens } from './place-secrets.ts';
export { fence } from './prompts/fence.ts';
export { type Instruction, instructionFiles } from './prompts/instructions.ts';
export { planFirst, planMissing, planWords } from './prompts/plan-words.ts';
export { requestPrompt } from './prompts/request-prompt.ts';
export { reviewPrompt, reviewSystemPrompt } from './prompts/review-prompt.ts';
export { systemPrompt } from './prompts/system-prompt.ts';
export { interruptedOutput, type Resumed, resume } from './resume.ts';
export { runTurns, type TurnOptions, type TurnsEnd, type TurnsStart } from './run-turns.ts';
export {
  defaultToolLimits,
  type History,
  type Install,
  type Tool,
  type ToolContext,
  type ToolLimits,
} from './tool.ts';
export { planningTools, reviewTools, toolsFor } from './tool-set.ts';
export { planToolName } from './tools/propose-plan.ts';
export { findingsSchema, reportFindings } from './tools/report-findings.ts';
