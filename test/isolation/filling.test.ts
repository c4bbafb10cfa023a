import { filling } from './attempts/filling.ts';
import { tryAll } from './suite.ts';

tryAll('filling', filling);
