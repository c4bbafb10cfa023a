export { endWithParentPreload } from './end-with-parent.ts';
export { type ProgramResult, type ProgramRun, runProgram } from './run-program.ts';
export { signalGroup } from './signal-group.ts';
export { type ProgramExit, type ProgramOptions, type StartedProgram, startProgram } from './start-program.ts';
