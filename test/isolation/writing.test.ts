import { writing } from './attempts/writing.ts';
import { otherBackends } from './support/backends.ts';
import { tryAll } from './support/suite.ts';

tryAll('writing', writing, otherBackends);
