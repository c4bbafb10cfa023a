import type { ModelRequest } from '../model.ts';

export const helloRequest: ModelRequest = {
  system: 'You fix things.',
  tools: [{ name: 'read_file', description: 'Reads.', inputSchema: { type: 'object', properties: {} } }],
  messages: [{ role: 'user', items: [{ kind: 'text', text: 'hello' }] }],
};
