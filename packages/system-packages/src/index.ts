export { readToolEnvironment } from './environment-config.ts';
export { ensureProgram, fetchProgram } from './fetch-program.ts';
export { listCandidates } from './find-program.ts';
export { ProgramError } from './program-error.ts';
export type { SystemProgram } from './system-program.ts';
