import { secrets } from './attempts/secrets.ts';
import { tryAll } from './support/suite.ts';

tryAll('secrets', secrets);
