/** All endpoints of the REST API. */
import { appEndpoints } from '../app/app-endpoints.ts';
import { manifestEndpoints } from '../app/manifests.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import type { Deliveries } from '../webhooks/deliveries.ts';
import { hookEndpoints } from '../webhooks/hook-endpoints.ts';
import { actionEndpoints } from './actions.ts';
import { branchEndpoints } from './branches.ts';
import { checkRunEndpoints } from './check-runs.ts';
import { commentEndpoints } from './comments.ts';
import { commitEndpoints } from './commits.ts';
import { contentEndpoints } from './contents.ts';
import { issueEndpoints } from './issues.ts';
import { pullEndpoints } from './pulls.ts';
import { rateLimitEndpoint, repositoryEndpoints } from './repositories.ts';
import { reviewEndpoints } from './reviews.ts';
import { statusEndpoints } from './statuses.ts';

export interface EndpointParts {
  deliveries: Deliveries;
  rateLimits: RateLimits;
  tokenLifetimeMs: () => number;
  /** The texts of logs by the codes of their short-lived addresses. */
  jobLogs: Map<string, string>;
}

export function listEndpoints({
  deliveries,
  rateLimits,
  tokenLifetimeMs,
  jobLogs,
}: EndpointParts): Endpoint[] {
  return [
    ...repositoryEndpoints,
    ...branchEndpoints,
    ...commitEndpoints,
    ...contentEndpoints,
    ...issueEndpoints,
    ...commentEndpoints,
    ...pullEndpoints,
    ...reviewEndpoints,
    ...checkRunEndpoints,
    ...statusEndpoints,
    ...actionEndpoints(jobLogs),
    ...appEndpoints(tokenLifetimeMs),
    ...manifestEndpoints,
    ...hookEndpoints(deliveries),
    rateLimitEndpoint(rateLimits),
  ];
}
