import { outliving } from './attempts/outliving.ts';
import { tryAll } from './suite.ts';

tryAll('outliving', outliving);
