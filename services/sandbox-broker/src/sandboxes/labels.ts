// What stands on every container and volume of a broker, so that leftovers are known after any crash.
export const labels = {
  sandbox: 'fettle.sandbox',
  broker: 'fettle.broker',
  /** Of the broker, since several may bear one name where each lives for a single command. */
  process: 'fettle.process',
  expires: 'fettle.expires',
  operation: 'fettle.operation',
  owner: 'fettle.owner',
  /** So that no other broker of the engine gives it to somebody else. */
  user: 'fettle.user',
} as const;

/** An engine cannot change a label: by its name, a container that was started as a spare also says which operation it is for. */
export function containerName({
  id,
  request,
}: {
  id: string;
  request: { operation?: string | undefined };
}): string {
  return `fettle-${request.operation ?? 'spare'}-${id}`;
}
