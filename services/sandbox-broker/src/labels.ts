// What stands on every container and volume of a broker, so that leftovers are known after any crash.
export const labels = {
  sandbox: 'fettle.sandbox',
  broker: 'fettle.broker',
  expires: 'fettle.expires',
  operation: 'fettle.operation',
  owner: 'fettle.owner',
} as const;
