/** Sends raw requests, so that tests see the bytes and not a client's view of them. */

export const headers = {
  'x-api-key': 'any',
  'anthropic-version': '2023-06-01',
  'content-type': 'application/json',
};

export function ask(text: string): { role: 'user'; content: string } {
  return { role: 'user', content: text };
}

export function post(url: string, fields: object, init: RequestInit = {}): Promise<Response> {
  const body = JSON.stringify({ model: 'claude-test', max_tokens: 100, messages: [ask('hello')], ...fields });
  return fetch(`${url}/v1/messages`, { method: 'POST', headers, body, ...init });
}

type Event = { type: string; [field: string]: unknown };

export function parseEvents(text: string): Event[] {
  const lines = text.split('\n').filter((line) => line.startsWith('data: '));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)));
}
