import { network } from './attempts/network.ts';
import { otherBackends } from './support/backends.ts';
import { tryAll } from './support/suite.ts';

tryAll('network', network, otherBackends);
