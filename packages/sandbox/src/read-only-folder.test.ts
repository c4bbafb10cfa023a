import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFolderFlaw } from './read-only-folder.ts';

test.each(['/usr/share', '/etc/ssl'])('accepts %s', (folder) => {
  expect(findFolderFlaw(folder)).toBeUndefined();
});

test.each([
  ['tools', "'tools' is not an absolute path"],
  ['/absent', '/absent does not exist'],
  ['/etc/passwd', '/etc/passwd is not a folder'],
  ['/', 'name the folder inside it that is needed'],
  ['/usr', '/usr contains too much; name the folder inside it that is needed'],
  ['/etc', '/etc contains too much'],
  [homedir(), 'contains too much'],
  ['/proc/sys', '/proc/sys is in /proc, which sandboxes cannot share with the host'],
  ['/dev', '/dev is in /dev'],
  ['/tmp', '/tmp is in /tmp'],
])('rejects %s: %s', (folder, flaw) => {
  expect(findFolderFlaw(folder)).toContain(flaw);
});

test("rejects Fettle's home, its parents and its subfolders", () => {
  expect(findFolderFlaw('/usr/share', '/usr/share')).toBe("/usr/share is in Fettle's home");
  expect(findFolderFlaw('/usr/share/doc', '/usr/share')).toBe("/usr/share/doc is in Fettle's home");
  expect(findFolderFlaw('/usr/share', '/usr/share/fettle')).toMatch(
    /^\/usr\/share contains \/usr\/share\/fettle;/,
  );
});

test("rejects Fettle's home by all of its names, and before it exists", () => {
  const folder = mkdtempSync(join(homedir(), 'fettle-folder-flaw-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'disk/fettle/postgres'), { recursive: true });
  symlinkSync(join(folder, 'disk'), join(folder, 'link'));
  const home = join(folder, 'link/fettle');
  expect(findFolderFlaw(join(folder, 'disk'), home)).toContain(`contains ${join(folder, 'disk/fettle')};`);
  expect(findFolderFlaw(join(folder, 'disk/fettle/postgres'), home)).toContain("is in Fettle's home");
  expect(findFolderFlaw(join(folder, 'disk'), join(folder, 'link/new'))).toContain('contains');
  expect(findFolderFlaw(join(folder, 'disk'), '/elsewhere')).toBeUndefined();
});

test.skipIf(realpathSync('/var/run') === '/var/run')('follows a link', () => {
  expect(findFolderFlaw('/var/run')).toContain('/var/run is in /run');
});
