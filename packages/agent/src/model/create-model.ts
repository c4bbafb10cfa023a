import { type AnthropicOptions, anthropicModel } from './anthropic/anthropic-model.ts';
import type { Model } from './model.ts';
import { type OpenaiOptions, openaiModel } from './openai/openai-model.ts';

export type ModelChoice =
  | ({ service: 'anthropic' } & AnthropicOptions)
  | ({ service: 'openai' } & OpenaiOptions);

export function createModel(choice: ModelChoice): Model {
  return choice.service === 'openai' ? openaiModel(choice) : anthropicModel(choice);
}
