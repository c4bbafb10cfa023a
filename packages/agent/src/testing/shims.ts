/** A search path on which every program only logs its arguments. */
import { chmodSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const end = '\u0001end';

/** The toolbox itself needs this program. */
const real = 'mkfifo';

export function makeShims(place: string, names: string[]) {
  const searchPath = join(place, 'bin');
  const log = join(place, 'ran');
  mkdirSync(searchPath);
  writeFileSync(log, '');
  symlinkSync(`/usr/bin/${real}`, join(searchPath, real));
  for (const name of names.filter((each) => !/^\.*$|\//.test(each) && each !== real)) {
    const script = `#!/bin/sh\nprintf '%s\\0' "\${0##*/}" "$@" '${end}' >> '${log}'\n`;
    writeFileSync(join(searchPath, name), script);
    chmodSync(join(searchPath, name), 0o755);
  }
  return {
    searchPath,
    /** Every argv since the last call. */
    take(): string[][] {
      const words = readFileSync(log, 'utf8').split('\0').slice(0, -1);
      truncateSync(log);
      const ran: string[][] = [];
      for (let argv: string[] = []; words.length > 0; ) {
        const word = words.shift() as string;
        if (word !== end) argv.push(word);
        else {
          ran.push(argv);
          argv = [];
        }
      }
      return ran;
    },
  };
}
