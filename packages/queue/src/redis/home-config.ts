import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export function readHome(): string {
  return resolve(process.env.FETTLE_HOME || join(homedir(), '.fettle'));
}
