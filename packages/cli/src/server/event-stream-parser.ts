/** The wire format of server-sent events, taken apart as the bytes come, however they are cut. */
export interface Message {
  id: string;
  event: string;
  data: string;
}

/** More than the longest event that Fettle makes; a stream that goes beyond it is not ours. */
const maxMessageCharacters = 8_000_000;

export function createEventStreamParser(maxCharacters = maxMessageCharacters) {
  const decoder = new TextDecoder();
  let rest = '';
  let id = '';
  let event = '';
  let data: string[] = [];
  let size = 0;

  function takeField(line: string): void {
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
  }

  function takeLine(line: string): Message[] {
    size += line.length;
    if (size > maxCharacters) throw new Error(`an event is longer than ${maxCharacters} characters`);
    // A line that begins with a colon is a comment, sent to keep the connection open.
    if (line !== '') {
      if (!line.startsWith(':')) takeField(line);
      return [];
    }
    const message = { id, event: event || 'message', data: data.join('\n') };
    const whole = data.length > 0;
    event = '';
    data = [];
    size = 0;
    return whole ? [message] : [];
  }

  return {
    push(bytes: Uint8Array): Message[] {
      const text = rest + decoder.decode(bytes, { stream: true });
      // A carriage return at the very end may be the first half of a line end.
      const lines = text.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      if (rest.length > maxCharacters) throw new Error(`a line is longer than ${maxCharacters} characters`);
      return lines.flatMap(takeLine);
    },
  };
}
