import { createRedaction } from '@fettle/secrets';
import { listPairSecrets, listUrlSecrets } from '@fettle/settings';
import { CliError } from '../cli-error.ts';

/** Removes secrets from an error: its message may quote an argument, a URL or a response. */
export function redactError(
  error: CliError,
  {
    environment,
    secrets,
  }: { environment: Record<string, string | undefined>; secrets: (string | undefined)[] },
): CliError {
  const { text } = createRedaction([
    ...secrets,
    environment.FETTLE_TOKEN,
    environment.FETTLE_WORKER_KEY,
    environment.FETTLE_BROKER_KEY,
    environment.ANTHROPIC_API_KEY,
    environment.OPENAI_API_KEY,
    ...listUrlSecrets(environment.DATABASE_URL),
    ...listUrlSecrets(environment.REDIS_URL),
    ...listPairSecrets(environment.FETTLE_GIT_TOKENS),
    ...listPairSecrets(environment.FETTLE_REGISTRY_TOKENS),
  ]);
  const { code, exitCode, message, advice } = error;
  return new CliError(code, text(message), { exitCode, advice: text(advice) });
}
