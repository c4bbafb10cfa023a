export {
  type Allowance,
  type AllowanceInput,
  allowanceInputSchema,
  allowanceListSchema,
  allowanceParamsSchema,
  allowanceQuerySchema,
  allowanceSchema,
} from './allowance.ts';
export { longestPauseMs, pauseAfter } from './attempt-pauses.ts';
export {
  type BudgetName,
  type Budgets,
  budgetsSchema,
  defaultBudgets,
  type PartialBudgets,
  partialBudgetsSchema,
  tightestBudgets,
} from './budgets.ts';
export {
  type CheckFailure,
  type CheckReport,
  checkReportSchema,
  maxFailuresKept,
} from './check-report.ts';
export {
  type CommandMode,
  type CommandRule,
  commandModes,
  commandRuleSchema,
  commandRulesSchema,
} from './command-rules.ts';
export {
  type CommandRemark,
  commandRemarkSchema,
  type Denial,
  denialSchema,
  toDenial,
} from './denial.ts';
export {
  type DenialQuery,
  type DenialReport,
  type DeniedGroup,
  denialQuerySchema,
  denialReportSchema,
  deniedGroupSchema,
} from './denial-report.ts';
export {
  describeIssue,
  type ErrorBody,
  type ErrorCode,
  errorBodySchema,
  errorTable,
  FettleError,
} from './errors.ts';
export {
  type CheckName,
  type CheckResult,
  checkNames,
  checkResultSchema,
  type Event,
  type EventBody,
  type EventType,
  eventBodySchema,
  eventSchema,
  type Usage,
} from './event.ts';
export { type Finding, findingSchema, placeOf } from './finding.ts';
export { newId } from './ids.ts';
export {
  type Claim,
  type CleanUpInput,
  claimInputSchema,
  claimSchema,
  cleanUpInputSchema,
  fenceQuerySchema,
  gitTokenInputSchema,
  gitTokenSchema,
  type Heartbeat,
  heartbeatInputSchema,
  heartbeatSchema,
  type Leftovers,
  leftoversSchema,
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
} from './internal.ts';
export {
  type Message,
  maxWaitingMessages,
  messageInputSchema,
  messageListSchema,
  messageSchema,
  type Said,
} from './message.ts';
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
} from './operation.ts';
export {
  type Outcome,
  outcomeSchema,
  type PullRequestRef,
  type ReasonCode,
  reasonSchema,
  reasons,
} from './outcome.ts';
export {
  type Agent,
  type ChangedFile,
  type FinishedPart,
  type FinishedToolPart,
  finishedPartSchema,
  interruptPart,
  type StartedToolPart,
} from './part.ts';
export {
  type Decision,
  type Plan,
  type PlanDecision,
  type PlanStatus,
  planDecisionSchema,
  planSchema,
  planStatusSchema,
} from './plan.ts';
export {
  type Kind,
  kindSchema,
  kinds,
  type Priority,
  priorities,
  prioritySchema,
  type Request,
  type RequestInput,
  requestSchema,
} from './request.ts';
export {
  type SandboxEnd,
  type SandboxEndReason,
  type SandboxList,
  type SandboxUsage,
  type StartSandbox,
  sandboxEndSchema,
  sandboxEnds,
  sandboxIdHeader,
  sandboxListSchema,
  sandboxUsageSchema,
  startSandboxSchema,
  toolboxUpgrade,
} from './sandbox-broker.ts';
export {
  defaultStateLimits,
  hearingStates,
  isEnded,
  isSettled,
  mayFollow,
  type State,
  settledStates,
  stateSchema,
  states,
  transitions,
  workedStates,
} from './states.ts';
export type { Totals } from './totals.ts';
