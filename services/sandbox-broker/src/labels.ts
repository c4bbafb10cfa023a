// What stands on every container and volume of a broker, so that leftovers are known after any crash.
export const labels = {
  sandbox: 'fettle.sandbox',
  broker: 'fettle.broker',
  /** Of the broker, since several may bear one name where each lives for a single command. */
  process: 'fettle.process',
  expires: 'fettle.expires',
  operation: 'fettle.operation',
  owner: 'fettle.owner',
} as const;
