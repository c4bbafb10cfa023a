/**
 * Tracks the folders that a line may be in after each step. A `cd` that fails stays where it is, and the exit status
 * decides which step runs next, so every possible pair of folder and status is kept.
 */
import type { PlanStep } from './parse/parse-line.ts';

export interface Place {
  folder: string;
  /** The exit status of the last step that ran. */
  succeeded: boolean;
}

export const START: Place[] = [{ folder: '.', succeeded: true }];

/** The states from which the step would run. */
export function placesOf(step: PlanStep, places: Place[]): Place[] {
  return places.filter(({ succeeded }) => step.when === 'always' || succeeded === (step.when === 'success'));
}

/** `goTo` returns where `cd` leads from a folder. Undefined for all other steps. */
export function placesAfter(step: PlanStep, places: Place[], goTo?: (folder: string) => string): Place[] {
  const running = placesOf(step, places);
  const skipped = places.filter((place) => !running.includes(place));
  const after = running.flatMap(({ folder }) => [
    { folder: goTo?.(folder) ?? folder, succeeded: true },
    { folder, succeeded: false },
  ]);
  const unique = new Map(
    [...skipped, ...after].map((place) => [`${place.succeeded} ${place.folder}`, place]),
  );
  return [...unique.values()];
}
