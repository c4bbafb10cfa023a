import { privilege } from './attempts/privilege.ts';
import { otherBackends } from './support/backends.ts';
import { tryAll } from './support/suite.ts';

tryAll('privilege', privilege, otherBackends);
