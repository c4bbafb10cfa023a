import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chooseUser, sandboxGroup, usersLabel } from './sandbox-users.ts';

test('chooses a free uid, as long as there is one', () => {
  const taken: number[] = [];
  for (let n = 0; n < 400; n += 1) taken.push(chooseUser(taken, 399));
  expect(taken.slice(0, 2)).toEqual([61_000, 60_601]);
  expect(new Set(taken).size).toBe(400);
  expect(chooseUser(taken, 7)).toBe(60_608);
});

test('the image has exactly these users', () => {
  const image = readFileSync(new URL('../../../../infra/images/sandbox.Dockerfile', import.meta.url), 'utf8');
  const [first, last] = usersLabel.value.split('-');
  expect(image).toContain(`LABEL ${usersLabel.name}=${usersLabel.value}`);
  expect(image.match(/seq \d+ \d+/g)).toEqual([`seq ${first} ${last}`, `seq ${first} ${last}`]);
  expect(image).toContain(`install --directory --owner=0 --group=${sandboxGroup} --mode=0770 /sandbox`);
});
