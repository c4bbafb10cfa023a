export { type ContainedVerdict, judgeContained } from './commands/contained/judge-contained.ts';
export { toOperandJudge } from './commands/default-path-judge.ts';
export {
  type CommandObjection,
  type CommandOptions,
  type CommandVerdict,
  judgeCommand,
} from './commands/judge-command.ts';
export type { OperandPathJudge } from './commands/judge-operand-path.ts';
export type { CommandLayer } from './commands/layers.ts';
export type { ContentFile, ContentObjection, ContentOptions } from './content/content-rule.ts';
export { needsBefore } from './content/integrity.ts';
export { judgeContent } from './content/judge-content.ts';
export { judgeFile } from './judge-file.ts';
export { isGlob, splitGlobs } from './paths/glob-list.ts';
export { createPathJudge, judgePath, type PathJudge, type PathOptions } from './paths/judge-path.ts';
export type { PathOperation, PathVerdict } from './paths/path-rule.ts';
export { isTestFixture } from './paths/test-fixture.ts';
export type { Objection } from './verdict.ts';
