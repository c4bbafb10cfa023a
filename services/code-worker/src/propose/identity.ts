/** The author of checkpoints and proposals. */
export const identity = { name: 'Fettle', email: 'fettle@localhost' };
