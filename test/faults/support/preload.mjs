// Loaded into a service before everything else (`node --import`), by tests alone: ends or holds a process at a crash
// point, and shifts the clock. `FETTLE_TEST_CRASH` names points (`name`, `name:number`, several with commas). What
// ends is this process or, with `FETTLE_TEST_VICTIM`, the one whose number is in that file; then this one waits until
// there is a new number. With `FETTLE_TEST_HOLD` nothing ends: that file appears, and the process stands still until
// it is gone again; with an `.off` behind its name, nothing is held any more. `FETTLE_TEST_CLOCK` is a file with the
// milliseconds by which the clock is wrong.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const {
  FETTLE_TEST_CRASH: points,
  FETTLE_TEST_VICTIM: victimFile,
  FETTLE_TEST_HOLD: holdFile,
  FETTLE_TEST_CLOCK: clockFile,
} = process.env;
const sleepMs = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

function endOther() {
  const victim = readFileSync(victimFile, 'utf8');
  process.kill(Number(victim), 'SIGKILL');
  for (let waited = 0; waited < 60_000 && readFileSync(victimFile, 'utf8') === victim; waited += 20)
    sleepMs(20);
}

function hold(point) {
  if (existsSync(`${holdFile}.off`)) return;
  writeFileSync(holdFile, point);
  for (let waited = 0; waited < 60_000 && existsSync(holdFile); waited += 20) sleepMs(20);
}

if (points) {
  const wanted = new Set(points.split(','));
  globalThis[Symbol.for('fettle.crash-point')] = (name, number) => {
    if (!wanted.has(name) && !wanted.has(`${name}:${number}`)) return;
    if (victimFile) return endOther();
    if (holdFile) return hold(name);
    process.kill(process.pid, 'SIGKILL');
    sleepMs(60_000);
  };
}

if (clockFile) {
  const RealDate = Date;
  const offset = () => {
    try {
      return Number(readFileSync(clockFile, 'utf8')) || 0;
    } catch {
      return 0;
    }
  };
  const now = () => RealDate.now() + offset();
  globalThis.Date = class extends RealDate {
    constructor(...given) {
      if (given.length === 0) super(now());
      else super(...given);
    }
    static now() {
      return now();
    }
  };
}
