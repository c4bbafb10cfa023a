/**
 * A named place at which a test can end the process. Nothing in the product can switch it on: no setting, no
 * request and no file is looked at. A test does it with a module that node loads before everything else
 * (`node --import`) and that puts a function where this looks once, at the start; whoever can do that decides
 * what the process is anyway. Without it, a crash point is a call of an empty function.
 */
export type CrashPoint = (name: string, number?: number) => void;

const place = Symbol.for('fettle.crash-point');

const given = (globalThis as { [place]?: unknown })[place];

export const crashPoint: CrashPoint = typeof given === 'function' ? (given as CrashPoint) : () => {};
