import { secrets } from './attempts/secrets.ts';
import { otherBackends } from './support/backends.ts';
import { tryAll } from './support/suite.ts';

tryAll('secrets', secrets, otherBackends);
