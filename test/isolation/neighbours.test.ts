import { neighbours } from './attempts/neighbours.ts';
import { tryAll } from './support/suite.ts';

tryAll('neighbours', neighbours);
