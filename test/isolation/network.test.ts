import { network } from './attempts/network.ts';
import { tryAll } from './support/suite.ts';

tryAll('network', network);
