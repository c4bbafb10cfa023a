import { test } from 'vitest';
import { network } from './attempts/network.ts';
import { tryAll } from './suite.ts';

tryAll('network', network);
test.todo('publishing and posting through the registry path');
