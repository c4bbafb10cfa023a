/** Creates a GitHub App: GitHub shows a person a form, and its code is exchanged for the credentials. */
import { Octokit } from '@octokit/core';
import { z } from 'zod';
import { apiPermissions, workerPermissions } from './access.ts';
import { toForgeError } from './errors.ts';

const events = [
  ...['issues', 'issue_comment', 'pull_request', 'pull_request_review', 'pull_request_review_comment'],
  ...['pull_request_review_thread', 'check_run', 'check_suite', 'push', 'repository'],
];

/** GitHub records no deliveries for an App without an address, and Fettle reads them where nothing can reach it. */
const unreachable = 'https://fettle.invalid';
const webhookPath = '/v1/github/webhooks';

export interface ManifestInput {
  name: string;
  /** Where GitHub sends the code. */
  redirectUrl: string;
  /** The address of the api, if GitHub can reach it. */
  publicUrl?: string | undefined;
}

export function buildManifest({ name, redirectUrl, publicUrl = unreachable }: ManifestInput) {
  return {
    name,
    url: 'https://github.com/apps',
    description: 'Turns issues and comments into proven pull requests.',
    public: false,
    hook_attributes: { url: `${publicUrl}${webhookPath}`, active: true },
    redirect_url: redirectUrl,
    default_permissions: { metadata: 'read', ...workerPermissions, ...apiPermissions },
    default_events: events,
  };
}

const credentialsSchema = z.object({
  id: z.int(),
  slug: z.string(),
  html_url: z.string(),
  pem: z.string(),
  webhook_secret: z.string().nullable(),
});
export type AppCredentials = z.infer<typeof credentialsSchema>;

export async function convertManifest(apiUrl: string, code: string): Promise<AppCredentials> {
  const octokit = new Octokit({ baseUrl: apiUrl, userAgent: 'fettle' });
  try {
    const { data } = await octokit.request('POST /app-manifests/{code}/conversions', { code });
    return credentialsSchema.parse(data);
  } catch (error) {
    throw toForgeError(error, 'the code of the new App');
  }
}
