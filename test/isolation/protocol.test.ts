import { protocol } from './attempts/protocol.ts';
import { tryAll } from './suite.ts';

tryAll('protocol', protocol);
