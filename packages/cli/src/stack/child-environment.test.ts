import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { compileCache } from '../process/workspace.ts';
import { childEnvironment } from './child-environment.ts';

const config = readConfig({
  PATH: '/bin',
  HOME: '/home/ana',
  AWS_SECRET_ACCESS_KEY: 'cloud',
  FETTLE_TOKEN: 'person',
  DATABASE_URL_FILE: '/dev/null',
  ANTHROPIC_API_KEY: 'model',
  OPENAI_API_KEY: 'other model',
  FETTLE_HOME: '/elsewhere',
});
const common = { PATH: '/bin', HOME: '/home/ana', NODE_COMPILE_CACHE: compileCache };

test('each child gets only the secrets that it needs', () => {
  expect(childEnvironment('api', config, { FETTLE_HOME: '/h' })).toEqual({
    ...common,
    DATABASE_URL_FILE: '/dev/null',
    FETTLE_HOME: '/h',
  });
  expect(childEnvironment('worker', config, {})).toEqual({
    ...common,
    ANTHROPIC_API_KEY: 'model',
    OPENAI_API_KEY: 'other model',
  });
});
