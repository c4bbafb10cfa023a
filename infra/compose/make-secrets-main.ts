/** The service `secrets` of docker-compose.yml. It runs before all others and exits. */
import { makeSecrets } from './make-secrets.ts';

const made = makeSecrets({ given: '/given', ca: '/given-ca.pem', kept: '/kept', services: '/services' });
if (made.length > 0) process.stdout.write(`generated ${made.join(', ')}\n`);
