import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFolderFlaw } from './read-only-folder.ts';

test.each(['/usr/share', '/etc/ssl'])('%s may be named', (folder) => {
  expect(findFolderFlaw(folder)).toBeUndefined();
});

test.each([
  ['tools', "'tools' is not an absolute path"],
  ['/absent', '/absent is not there'],
  ['/etc/passwd', '/etc/passwd is not a folder'],
  ['/', 'name the folder in it that is needed'],
  ['/usr', '/usr holds too much; name the folder in it that is needed'],
  ['/etc', '/etc holds too much'],
  [homedir(), 'holds too much'],
  ['/proc/sys', '/proc/sys is in /proc, of which sandboxes have their own or none'],
  ['/dev', '/dev is in /dev'],
  ['/tmp', '/tmp is in /tmp'],
])('%s is refused: %s', (folder, flaw) => {
  expect(findFolderFlaw(folder)).toContain(flaw);
});

test("Fettle's own home is refused, with what is in it and what it is in", () => {
  expect(findFolderFlaw('/usr/share', '/usr/share')).toBe("/usr/share is in Fettle's own home");
  expect(findFolderFlaw('/usr/share/doc', '/usr/share')).toBe("/usr/share/doc is in Fettle's own home");
  expect(findFolderFlaw('/usr/share', '/usr/share/fettle')).toMatch(
    /^\/usr\/share holds \/usr\/share\/fettle;/,
  );
});

test("Fettle's own home is refused by all of its names, and before it is there", () => {
  const place = mkdtempSync(join(homedir(), 'fettle-folder-flaw-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  mkdirSync(join(place, 'disk/fettle/postgres'), { recursive: true });
  symlinkSync(join(place, 'disk'), join(place, 'link'));
  const home = join(place, 'link/fettle');
  expect(findFolderFlaw(join(place, 'disk'), home)).toContain(`holds ${join(place, 'disk/fettle')};`);
  expect(findFolderFlaw(join(place, 'disk/fettle/postgres'), home)).toContain("is in Fettle's own home");
  expect(findFolderFlaw(join(place, 'disk'), join(place, 'link/new'))).toContain('holds');
  expect(findFolderFlaw(join(place, 'disk'), '/elsewhere')).toBeUndefined();
});

test.skipIf(realpathSync('/var/run') === '/var/run')('a link is followed', () => {
  expect(findFolderFlaw('/var/run')).toContain('/var/run is in /run');
});
