export { createRateLimit } from './budget/rate-limit.ts';
export type { Saved } from './calls/call-tool.ts';
export { noHooks } from './calls/hooks.ts';
export type { CommandPolicy } from './calls/judge-call.ts';
export { createKeptOutputs } from './calls/kept-outputs.ts';
export type { PutBack, SecretTokens } from './calls/place-secrets.ts';
export { type Conversation, lastTextOf, startConversation } from './loop/conversation.ts';
export { interruptedOutput, type Resumed, resume, sumSpent } from './loop/resume.ts';
export { runTurns } from './loop/run-turns.ts';
export type { TurnOptions, TurnsEnd, TurnsStart } from './loop/turn-options.ts';
export { createModel, type ModelChoice } from './model/create-model.ts';
export type { Message, Model } from './model/model.ts';
export { costOf, pricesOf } from './model/prices.ts';
export { fence } from './prompts/fence.ts';
export { type Instruction, instructionFiles } from './prompts/instructions.ts';
export { planDecisionMessage, planFirst, planMissing } from './prompts/plan-messages.ts';
export { requestPrompt } from './prompts/request-prompt.ts';
export { reviewPrompt, reviewSystemPrompt } from './prompts/review-prompt.ts';
export { revisionPrompt } from './prompts/revision-prompt.ts';
export { systemPrompt } from './prompts/system-prompt.ts';
export type { RepetitionVerdict } from './repetition/escalate.ts';
export { defaultLoopThreshold } from './repetition/limits.ts';
export { type ObservedTurn, observeTurn } from './repetition/observed-turn.ts';
export { createRepetitionWatch, type RepetitionWatch } from './repetition/watch.ts';
export { planToolName } from './tools/propose-plan.ts';
export { findingsSchema, reportFindings } from './tools/report-findings.ts';
export {
  defaultToolLimits,
  type History,
  type Install,
  type Tool,
} from './tools/tool.ts';
export { listTouchedPaths, planningTools, reviewTools, toolsFor } from './tools/tool-set.ts';
