/**
 * A named place at which a test can end the process. No setting, request or file can enable it. A test enables it with a
 * module that Node loads before everything else (`node --import`) and that sets a global function, which is read once at
 * startup. Code that can do this controls the process anyway. Otherwise a crash point calls an empty function.
 */
export type CrashPoint = (name: string, number?: number) => void;

const symbol = Symbol.for('fettle.crash-point');

const injected = (globalThis as { [symbol]?: unknown })[symbol];

export const crashPoint: CrashPoint = typeof injected === 'function' ? (injected as CrashPoint) : () => {};
