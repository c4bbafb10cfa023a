/** The models that requests name, each created once. */
import { createModel, type Model } from '@fettle/agent';
import type { Config } from './config/config.ts';

export interface ChosenModel extends Model {
  /** Why this worker cannot use the model that the request names. This is the model of the worker then. */
  problem?: string;
}

export interface Models {
  /** Without a name, the model of the worker. */
  choose(name: string | undefined): ChosenModel;
}

/** Requests are foreign input: without a limit, their names could fill the memory. */
const maxModels = 50;

export function createModels(config: Pick<Config, 'model' | 'modelNamed'>): Models {
  const own = createModel(config.model);
  const others = new Map<string, Model>();
  return {
    choose(name) {
      if (name === undefined) return own;
      const known = others.get(name);
      if (known) return known;
      const found = config.modelNamed(name);
      if (!found.ok) return { ...own, problem: `${name} is not available on this worker: ${found.problem}.` };
      const model = createModel(found.choice);
      if (others.size >= maxModels) others.clear();
      others.set(name, model);
      return model;
    },
  };
}
