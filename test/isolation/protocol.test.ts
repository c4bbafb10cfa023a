import { protocol } from './attempts/protocol.ts';
import { tryAll } from './support/suite.ts';

tryAll('protocol', protocol);
