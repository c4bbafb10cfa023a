export { type CommandOptions, type CommandVerdict, judgeCommand } from './commands/judge-command.ts';
export type { OperandPathJudge, PathOperation } from './commands/judge-operand-path.ts';
export { type CommandLayer, commandLayerSchema } from './commands/layers.ts';
export { createPathJudge, type PathJudge, type Verdict } from './judge-path.ts';
