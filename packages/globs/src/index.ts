export { compileGlob } from './glob.ts';
export { compileName } from './name-pattern.ts';
