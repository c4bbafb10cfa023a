import { writing } from './attempts/writing.ts';
import { tryAll } from './suite.ts';

tryAll('writing', writing);
