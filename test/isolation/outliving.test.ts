import { outliving } from './attempts/outliving.ts';
import { tryAll } from './support/suite.ts';

tryAll('outliving', outliving);
