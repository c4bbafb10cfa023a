import { privilege } from './attempts/privilege.ts';
import { tryAll } from './suite.ts';

tryAll('privilege', privilege);
