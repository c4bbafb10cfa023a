import { expect, test } from 'vitest';
import { isTestFixture } from './test-fixture.ts';

test.each(['test/.env', 'packages/a/tests/data/.env', 'src/__fixtures__/a.key', 'go/testdata/x.pem'])(
  '%s is part of a test',
  (path) => expect(isTestFixture(path)).toBe(true),
);

test.each(['.env', 'test.env', 'latest/.env', 'src/testing-server/.env', 'e2e/.env', 'config/fixtures'])(
  '%s is not',
  (path) => expect(isTestFixture(path)).toBe(false),
);
