import { filling } from './attempts/filling.ts';
import { tryAll } from './support/suite.ts';

tryAll('filling', filling);
