import { expect, test } from 'vitest';
import { isSettled, mayFollow, type State, states, transitions, workedStates } from './states.ts';

test('every following state is a state', () => {
  for (const next of Object.values(transitions).flat()) expect(states).toContain(next);
});

test('every state can be reached from queued', () => {
  const reached = new Set<State>(['queued']);
  for (const state of reached) for (const next of transitions[state]) reached.add(next);
  expect([...reached].sort()).toEqual([...states].sort());
});

test('every state leads to an end', () => {
  const ends = (state: State, seen: State[]): boolean =>
    transitions[state].length === 0 ||
    transitions[state].some((next) => !seen.includes(next) && ends(next, [...seen, next]));
  for (const state of states) expect(ends(state, [state]), state).toBe(true);
});

test('an ended operation stays ended', () => {
  const ends = ['answered', 'unchanged', 'failed', 'cancelled', 'expired', 'released'] as const;
  for (const end of ends) {
    expect(states.filter((state) => mayFollow(end, state))).toEqual([]);
    expect(isSettled(end)).toBe(true);
  }
});

test('a pull request can be merged, closed and reopened by hand', () => {
  for (const state of ['awaiting_approval', 'approved'] as const)
    expect(transitions[state]).toEqual(expect.arrayContaining(['merged', 'rejected']));
  expect(transitions.rejected).toEqual(['awaiting_approval']);
  expect(isSettled('rejected')).toBe(true);
});

test('an operation with a worker can be cancelled, fail, expire and be queued again', () => {
  for (const state of workedStates) {
    expect(transitions[state]).toEqual(expect.arrayContaining(['cancelled', 'failed', 'expired', 'queued']));
    expect(isSettled(state)).toBe(false);
  }
});
