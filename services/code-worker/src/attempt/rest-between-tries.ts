import type { Model } from '@fettle/agent';
import type { StopSwitch } from './stop-switch.ts';

/** While a service is out of reach the pauses between two tries grow to a minute, and nobody should have to sit them out. */
export function restBetweenTries(model: Model, { rest }: Pick<StopSwitch, 'rest'>): Model {
  return {
    ...model,
    answer: (request, options) =>
      model.answer(request, {
        ...options,
        async onRetry(retry) {
          await options.onRetry(retry);
          rest(retry.pauseMs);
        },
      }),
  };
}
