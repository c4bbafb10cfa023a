/** Who checkpoints and proposals are by. */
export const identity = { name: 'Fettle', email: 'fettle@localhost' };
