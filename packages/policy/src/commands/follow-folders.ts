// Where a line may be after each step. A step that fails goes nowhere, and whether it failed decides what comes next:
// so every pair of a folder and an ending that is possible is kept.
import type { PlanStep } from './parse/parse-line.ts';

export interface Place {
  folder: string;
  /** How the last step that ran ended. */
  succeeded: boolean;
}

export const START: Place[] = [{ folder: '.', succeeded: true }];

/** The places from which the step would run. */
export function placesOf(step: PlanStep, places: Place[]): Place[] {
  return places.filter(({ succeeded }) => step.when === 'always' || succeeded === (step.when === 'success'));
}

/** `goTo` says where `cd` leads from a folder; it is undefined for all other steps. */
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
