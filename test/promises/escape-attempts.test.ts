/** Programs inside a sandbox try to reach the network, files, secrets and rights of the host. */
import { network } from '../isolation/attempts/network.ts';
import { privilege } from '../isolation/attempts/privilege.ts';
import { secrets } from '../isolation/attempts/secrets.ts';
import { writing } from '../isolation/attempts/writing.ts';
import { availableBackend } from '../isolation/support/backends.ts';
import { tryAll } from '../isolation/support/suite.ts';

tryAll('network', network, [availableBackend]);
tryAll('privilege', privilege, [availableBackend]);
tryAll('secrets', secrets, [availableBackend]);
tryAll('writing', writing, [availableBackend]);
