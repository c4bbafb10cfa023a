export { endWithParentPreload } from './end-with-parent.ts';
export { type ProgramResult, runProgram } from './run-program.ts';
export { type ProgramExit, type ProgramOptions, type StartedProgram, startProgram } from './start-program.ts';
