export { createPathJudge, type PathJudge, type Verdict } from './judge-path.ts';
