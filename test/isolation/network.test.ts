import { network } from './attempts/network.ts';
import { tryAll } from './suite.ts';

tryAll('network', network);
