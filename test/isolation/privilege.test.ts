import { privilege } from './attempts/privilege.ts';
import { tryAll } from './support/suite.ts';

tryAll('privilege', privilege);
