export {
  describeIssue,
  type ErrorBody,
  type ErrorCode,
  errorBodySchema,
  errorTable,
  FettleError,
} from './errors.ts';
export { newId } from './ids.ts';
export {
  maxToolArchiveBytes,
  type SandboxEnd,
  type SandboxEndReason,
  type SandboxList,
  type SandboxTool,
  type SandboxUsage,
  type StartSandbox,
  sandboxEndSchema,
  sandboxEnds,
  sandboxIdHeader,
  sandboxListSchema,
  sandboxToolFolder,
  sandboxToolSchema,
  sandboxUsageSchema,
  startSandboxSchema,
  type ToolName,
  toolboxUpgrade,
  toolNames,
} from './internal/sandbox-broker.ts';
export {
  type Claim,
  type CleanUpInput,
  claimInputSchema,
  claimSchema,
  cleanUpInputSchema,
  commitSchema,
  fenceQuerySchema,
  gitTokenInputSchema,
  gitTokenSchema,
  type Heartbeat,
  heartbeatInputSchema,
  heartbeatSchema,
  type Leftovers,
  leftoversSchema,
  maxCheckpointBytes,
  type PlanInput,
  type ProposalInput,
  planInputSchema,
  proposalInputSchema,
  proposalSchema,
  type ReleaseInput,
  recordPageSchema,
  recordQuerySchema,
  releaseInputSchema,
  releaseSchema,
  type SettleInput,
  saidListSchema,
  settleInputSchema,
  type TransitionInput,
  transitionInputSchema,
} from './internal/worker-api.ts';
export {
  type WorkerReport,
  type WorkerStatus,
  workerListSchema,
  workerReportSchema,
} from './internal/worker-report.ts';
export { longestPauseMs, pauseAfter, waitingPause } from './operation/attempt-pauses.ts';
export {
  type BudgetName,
  type Budgets,
  budgetsSchema,
  defaultBudgets,
  type PartialBudgets,
  partialBudgetsSchema,
  showUsd,
  type Totals,
  tightestBudgets,
} from './operation/budgets.ts';
export { type ForgeName, forgeNameSchema } from './operation/forge-name.ts';
export { type GithubStatus, githubStatusSchema, type RateLimit } from './operation/github-status.ts';
export {
  type Message,
  maxWaitingMessages,
  messageInputSchema,
  messageListSchema,
  messageSchema,
  type Said,
} from './operation/message.ts';
export {
  type Job,
  type JobOrder,
  jobOrderSchema,
  jobSchema,
  type Operation,
  type OperationDetail,
  type OperationFilter,
  type OperationList,
  operationDetailSchema,
  operationFilterSchema,
  operationListSchema,
  operationSchema,
} from './operation/operation.ts';
export {
  type Outcome,
  outcomeSchema,
  type PullRequestRef,
  type ReasonCode,
  reasonSchema,
  reasons,
} from './operation/outcome.ts';
export {
  type Decision,
  type Plan,
  type PlanDecision,
  type PlanStatus,
  planDecisionSchema,
  planSchema,
  planStatusSchema,
} from './operation/plan.ts';
export {
  type Evidence,
  evidenceSchema,
  type FaultEvidence,
  faultEvidenceSchema,
  type ProofStatus,
  proofStatusSchema,
  type TestRef,
} from './operation/proof.ts';
export {
  type Kind,
  kindSchema,
  kinds,
  modelNameSchema,
  type Priority,
  priorities,
  prioritySchema,
  type QuotedThread,
  type Request,
  type RequestInput,
  requestSchema,
} from './operation/request.ts';
export { type ChangesInput, changesInputSchema } from './operation/revision.ts';
export {
  defaultStateLimits,
  isEnded,
  isSettled,
  mayFollow,
  messageStates,
  type State,
  settledStates,
  stateSchema,
  states,
  transitions,
  workedStates,
} from './operation/states.ts';
export { plainIssue } from './plain-issue.ts';
export {
  type Allowance,
  type AllowanceInput,
  allowanceInputSchema,
  allowanceListSchema,
  allowanceParamsSchema,
  allowanceQuerySchema,
  allowanceSchema,
} from './policy/allowance.ts';
export { type CommandPlan, commandPlanSchema } from './policy/command-plan.ts';
export {
  type CommandMode,
  type CommandRule,
  commandModes,
  commandRuleSchema,
  commandRulesSchema,
} from './policy/command-rules.ts';
export {
  type CommandRemark,
  commandRemarkSchema,
  type Denial,
  type DenialQuery,
  type DenialReport,
  type DeniedGroup,
  denialQuerySchema,
  denialReportSchema,
  denialSchema,
  deniedGroupSchema,
  toDenial,
} from './policy/denial.ts';
export {
  type CheckFailure,
  type CheckReport,
  checkReportSchema,
  maxFailuresKept,
} from './record/check-report.ts';
export {
  type CheckName,
  type CheckResult,
  type CheckStatus,
  checkNameSchema,
  checkNames,
  checkResultSchema,
  checkStatusSchema,
  type Obstacle,
  obstacleSchema,
} from './record/check-result.ts';
export {
  type Event,
  type EventBody,
  type EventType,
  eventBodySchema,
  eventSchema,
  type Usage,
} from './record/event.ts';
export { type Finding, findingSchema, placeOf } from './record/finding.ts';
export {
  type Agent,
  type ChangedFile,
  type FinishedPart,
  type FinishedToolPart,
  finishedPartSchema,
  interruptPart,
  type StartedToolPart,
} from './record/part.ts';
export {
  type PartDiff,
  type PartFile,
  type PartTree,
  partDiffSchema,
  partFileSchema,
  partTreeSchema,
} from './record/part-changes.ts';
