/** The settings for the model. */
import type { ModelChoice } from '@fettle/agent';
import { modelNameSchema } from '@fettle/contract';
import { z } from 'zod';

const httpUrl = z.url({ protocol: /^https?$/ });
const proxyUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL that starts with http:// or https://' })
  .optional()
  .describe('for example http://proxy.example.com:3128');
const count = (value: number) => z.coerce.number().int().positive().default(value);
const leastThinkingTokens = 1024;

export const modelSettings = {
  FETTLE_MODEL: modelNameSchema
    .default('claude-sonnet-5-5')
    .describe('for example claude-sonnet-5-5, or openai:gpt-5.4'),
  FETTLE_MODEL_OUTPUT_TOKENS: count(16_000).describe('the maximum length of one answer'),
  FETTLE_MODEL_CONTEXT_TOKENS: z.coerce
    .number()
    .int()
    .positive()
    .optional()
    .describe('the context size of the model, if Fettle does not know it by name'),
  FETTLE_MODEL_RETRIES: z.coerce.number().int().min(0).default(8),
  FETTLE_MODEL_IDLE_SECONDS: count(90).describe('how long a stream may be silent before it counts as broken'),
  FETTLE_MODEL_THINKING: z
    .union([z.enum(['off', 'adaptive']), z.coerce.number().int().min(leastThinkingTokens)])
    .optional()
    .describe(`off, adaptive, or a budget of at least ${leastThinkingTokens} tokens`),
  FETTLE_MODEL_EFFORT: z
    .enum(['low', 'medium', 'high', 'xhigh', 'max'])
    .optional()
    .describe('low, medium, high, xhigh or max'),
  ANTHROPIC_API_KEY: z.string().min(1).optional(),
  ANTHROPIC_BASE_URL: httpUrl.optional().describe('for example https://models.example.com'),
  OPENAI_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'is not a key')
    .optional(),
  OPENAI_BASE_URL: httpUrl.optional().describe('for example http://127.0.0.1:11434/v1'),
  HTTP_PROXY: proxyUrl,
  HTTPS_PROXY: proxyUrl,
  NO_PROXY: z.string().optional(),
  http_proxy: proxyUrl,
  https_proxy: proxyUrl,
  no_proxy: z.string().optional(),
};
type Values = z.infer<z.ZodObject<typeof modelSettings>>;

const openaiPrefix = 'openai:';

/** Checks the settings that depend on each other. */
export function findModelFlaw(values: Values): string | undefined {
  const { FETTLE_MODEL_THINKING: thinking, FETTLE_MODEL_OUTPUT_TOKENS: outputTokens } = values;
  const ofOpenai = values.FETTLE_MODEL.startsWith(openaiPrefix);
  const keyName = ofOpenai ? 'OPENAI_API_KEY' : 'ANTHROPIC_API_KEY';
  if (values[keyName] === undefined) return `${keyName}: is not set (the key for the model API)`;
  if (ofOpenai && thinking !== undefined)
    return 'FETTLE_MODEL_THINKING: has no effect for an openai: model; use FETTLE_MODEL_EFFORT';
  if (typeof thinking === 'number' && thinking >= outputTokens)
    return `FETTLE_MODEL_THINKING: must be less than FETTLE_MODEL_OUTPUT_TOKENS, which is ${outputTokens}`;
  return undefined;
}

/**
 * The model that a request names. The settings that belong to the worker's own model (its context size and, for another
 * service, its thinking) do not apply to it.
 */
export function modelNamed(
  name: string,
  values: Values,
): { ok: true; choice: ModelChoice } | { ok: false; problem: string } {
  if (name === values.FETTLE_MODEL) return { ok: true, choice: modelOf(values) };
  const keepsThinking = name.startsWith(openaiPrefix) === values.FETTLE_MODEL.startsWith(openaiPrefix);
  const named = {
    ...values,
    FETTLE_MODEL: name,
    FETTLE_MODEL_CONTEXT_TOKENS: undefined,
    ...(!keepsThinking && { FETTLE_MODEL_THINKING: undefined }),
  };
  const problem = findModelFlaw(named);
  return problem === undefined ? { ok: true, choice: modelOf(named) } : { ok: false, problem };
}

export function modelOf(values: Values): ModelChoice {
  const { FETTLE_MODEL: name } = values;
  const { HTTP_PROXY, HTTPS_PROXY, NO_PROXY, http_proxy, https_proxy, no_proxy } = values;
  const options = {
    proxy: { HTTP_PROXY, HTTPS_PROXY, NO_PROXY, http_proxy, https_proxy, no_proxy },
    contextTokens: values.FETTLE_MODEL_CONTEXT_TOKENS,
    maxOutputTokens: values.FETTLE_MODEL_OUTPUT_TOKENS,
    maxRetries: values.FETTLE_MODEL_RETRIES,
    idleMs: values.FETTLE_MODEL_IDLE_SECONDS * 1000,
    effort: values.FETTLE_MODEL_EFFORT,
  };
  if (name.startsWith(openaiPrefix)) {
    const model = name.slice(openaiPrefix.length);
    const { OPENAI_API_KEY: apiKey = '', OPENAI_BASE_URL: baseUrl } = values;
    return { service: 'openai', model, apiKey, baseUrl, ...options };
  }
  const { ANTHROPIC_API_KEY: apiKey = '', ANTHROPIC_BASE_URL: baseUrl } = values;
  const thinking = values.FETTLE_MODEL_THINKING;
  return { service: 'anthropic', model: name, apiKey, baseUrl, thinking, ...options };
}
