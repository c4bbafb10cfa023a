import { neighbours } from './attempts/neighbours.ts';
import { tryAll } from './suite.ts';

tryAll('neighbours', neighbours);
