/** Labels of every container and volume of a broker, by which leftovers are found after a crash. */
export const labels = {
  sandbox: 'fettle.sandbox',
  broker: 'fettle.broker',
  /** The broker's process: brokers that live for a single command share one name. */
  process: 'fettle.process',
  expires: 'fettle.expires',
  operation: 'fettle.operation',
  owner: 'fettle.owner',
  /** The container's uid, so that other brokers of the engine do not reuse it. */
  user: 'fettle.user',
  /** On volumes with tools: the broker's name. They outlive sandboxes, and have none of the other labels. */
  tools: 'fettle.tools',
} as const;

/** The name also contains the operation, because a label cannot be changed when a spare sandbox gets its operation. */
export function containerName({
  id,
  request,
}: {
  id: string;
  request: { operation?: string | undefined };
}): string {
  return `fettle-${request.operation ?? 'spare'}-${id}`;
}
