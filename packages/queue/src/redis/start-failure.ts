/** Turns the output of a redis-server that failed to start into an error with a cause and advice. */
import { RedisError } from './redis-error.ts';

const shownLines = 12;

/** What redis-server prints before it exits, and what to do about it. The first match counts. */
const causes: { pattern: RegExp; cause: string; advice: string }[] = [
  {
    pattern: /can't handle RDB format version|unknown RDB|Wrong signature|Unknown AOF/i,
    cause: 'the data was written by a newer Redis',
    advice: 'Install the same or a newer version of redis-server, or set REDIS_URL to such a server.',
  },
  {
    pattern: /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/i,
    cause: 'the disk is full',
    advice: 'Free some space on that disk. Acknowledged writes are not lost.',
  },
  {
    pattern: /Permission denied|Read-only file system|Operation not permitted|EACCES|EROFS|EPERM/i,
    cause: 'the folder is not writable',
    advice: 'Make the folder writable for the user who runs Fettle, or use another FETTLE_HOME.',
  },
  {
    pattern:
      /Bad file format reading the append only file|Unknown command .* reading the append only file|AOF .*(is not|isn't) valid|Unexpected end of file/i,
    cause: 'the append-only file is damaged',
    advice: "Copy the folder, then repair the file with 'redis-check-aof --fix'.",
  },
  {
    pattern: /error while loading shared libraries|Exec format error/i,
    cause: 'the redis-server program does not run on this machine',
    advice:
      'Remove tools/redis from FETTLE_HOME so that it is downloaded again, or install redis-server yourself.',
  },
];

/** The error names the folder, the cause if it is known, and the last lines of the log. */
export function explainStartFailure(error: unknown, folder: string, fullLog: string): RedisError {
  const log = fullLog.trim().split('\n').slice(-shownLines).join('\n');
  const known = causes.find(({ pattern }) => pattern.test(fullLog));
  const cause = known?.cause ?? (error instanceof Error ? error.message : String(error));
  const advice =
    known?.advice ??
    'See the output of redis-server above. To start with empty data, move the folder to another place.';
  return new RedisError('redis_start_failed', `redis-server did not start in ${folder}: ${cause}.`, {
    advice,
    log,
  });
}
