/** Counts deliveries that were refused, by reason, since the start of the api. */
export const rejectionReasons = {
  not_configured: 'GitHub is not connected, or GITHUB_WEBHOOK_SECRET is not set',
  no_signature: 'the signature is missing',
  bad_signature: 'the signature does not match GITHUB_WEBHOOK_SECRET',
  wrong_type: 'the content type is not application/json',
  bad_headers: 'X-GitHub-Event or X-GitHub-Delivery is missing or malformed',
  bad_json: 'the body is not JSON',
  too_large: 'the body is larger than 25 MB',
} as const;
export type RejectionReason = keyof typeof rejectionReasons;

export type Rejections = ReturnType<typeof createRejections>;

export function createRejections() {
  const counts = new Map<RejectionReason, number>();
  return {
    count(reason: RejectionReason): void {
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    },
    list: (): Record<string, number> => Object.fromEntries(counts),
  };
}
