/** A search path on which every program only writes down how it was called. */
import { chmodSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const END = '\u0001end';

/** What the toolbox itself needs. */
const real = 'mkfifo';

export function makeShims(place: string, names: string[]) {
  const searchPath = join(place, 'bin');
  const log = join(place, 'ran');
  mkdirSync(searchPath);
  writeFileSync(log, '');
  symlinkSync(`/usr/bin/${real}`, join(searchPath, real));
  for (const name of names.filter((each) => !/^\.*$|\//.test(each) && each !== real)) {
    const script = `#!/bin/sh\nprintf '%s\\0' "\${0##*/}" "$@" '${END}' >> '${log}'\n`;
    writeFileSync(join(searchPath, name), script);
    chmodSync(join(searchPath, name), 0o755);
  }
  return {
    searchPath,
    /** Every argv since the last time. */
    take(): string[][] {
      const words = readFileSync(log, 'utf8').split('\0').slice(0, -1);
      truncateSync(log);
      const ran: string[][] = [];
      for (let argv: string[] = []; words.length > 0; ) {
        const word = words.shift() as string;
        if (word !== END) argv.push(word);
        else {
          ran.push(argv);
          argv = [];
        }
      }
      return ran;
    },
  };
}
