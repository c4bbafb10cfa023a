import { writing } from './attempts/writing.ts';
import { tryAll } from './support/suite.ts';

tryAll('writing', writing);
