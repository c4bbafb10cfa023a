import { readFileSync } from 'node:fs';
import { z } from 'zod';

const manifest = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
const { version } = z.object({ version: z.string() }).parse(JSON.parse(manifest));

/** Of the same release, so that worker and toolbox use the same protocol. */
export const defaultImage = `fettle-sandbox:${version}`;
