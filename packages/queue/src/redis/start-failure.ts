import { RedisError } from './redis-error.ts';
import type { RedisExit } from './start-redis.ts';

const shownLines = 12;

// What redis-server prints before it gives up, and what a person can do about it. The first match counts.
const causes: { pattern: RegExp; cause: string; advice: string }[] = [
  {
    pattern: /can't handle RDB format version|unknown RDB|Wrong signature|Unknown AOF/i,
    cause: 'the data was written by a newer Redis',
    advice: 'Install that version or a newer one of redis-server, or set REDIS_URL to such a server.',
  },
  {
    pattern: /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/i,
    cause: 'the disk is full',
    advice: 'Free some space on that disk; nothing that was acknowledged is lost.',
  },
  {
    pattern: /Permission denied|Read-only file system|Operation not permitted|EACCES|EROFS|EPERM/i,
    cause: 'the folder is not writable',
    advice: 'Give the folder to the user who runs Fettle, or use another FETTLE_HOME.',
  },
  {
    pattern:
      /Bad file format reading the append only file|Unknown command .* reading the append only file|AOF .*(is not|isn't) valid|Unexpected end of file/i,
    cause: 'the append-only file is damaged',
    advice: "Make a copy of the folder, then repair it with 'redis-check-aof --fix'.",
  },
  {
    pattern: /error while loading shared libraries|Exec format error/i,
    cause: 'the redis-server program does not run here',
    advice: 'Remove tools/redis from FETTLE_HOME so that it is fetched again, or install redis-server.',
  },
];

/** Turns a failed start into an error that names the folder, the cause where it is known, and the last lines. */
export function explainStartFailure(error: unknown, folder: string, exit: RedisExit): RedisError {
  const log = exit.log.trim().split('\n').slice(-shownLines).join('\n');
  const known = causes.find(({ pattern }) => pattern.test(exit.log));
  const cause = known?.cause ?? (error instanceof Error ? error.message : String(error));
  const advice =
    known?.advice ?? 'The lines above say what redis-server did; the folder can be moved away to start anew.';
  return new RedisError('redis_start_failed', `redis-server did not start in ${folder}: ${cause}.`, {
    advice,
    log,
  });
}
