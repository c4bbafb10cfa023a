import { secrets } from './attempts/secrets.ts';
import { tryAll } from './suite.ts';

tryAll('secrets', secrets);
