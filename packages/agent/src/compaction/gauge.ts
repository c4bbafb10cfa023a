import type { Message } from '../model/model.ts';

/** How many tokens something will be: learned from what the model's service counted of what was sent before. */
export interface Gauge {
  estimate(characters: number): number;
  learn(characters: number, tokens: number): void;
}

const atFirst = 1 / 3.5;

export function createGauge(): Gauge {
  let tokensEach = atFirst;
  return {
    estimate: (characters) => Math.ceil(characters * tokensEach),
    learn(characters, tokens) {
      // A short text is mostly what the service puts around it.
      if (characters >= 4_000) tokensEach = Math.min(1, Math.max(0.1, tokens / characters));
    },
  };
}

const sizes = new WeakMap<Message, { pieces: number; characters: number }>();

/** The characters of a message; the wrapping of a piece counts as 60. Counted once, and again when it has grown. */
export function sizeOf(message: Message): number {
  const pieces = message.role === 'user' ? message.items : message.blocks;
  const known = sizes.get(message);
  if (known?.pieces === pieces.length) return known.characters;
  const characters = pieces.reduce((sum, piece) => sum + 60 + sizeOfPiece(piece), 0);
  sizes.set(message, { pieces: pieces.length, characters });
  return characters;
}

type Piece =
  | Extract<Message, { role: 'user' }>['items'][number]
  | Extract<Message, { role: 'assistant' }>['blocks'][number];

function sizeOfPiece(piece: Piece): number {
  switch (piece.kind) {
    case 'text':
      return piece.text.length;
    case 'result':
      return piece.output.length;
    case 'reasoning':
      return JSON.stringify(piece.block ?? '').length;
    case 'tool':
      return JSON.stringify(piece.input ?? '').length;
  }
}

export function sizeOfAll(messages: Message[]): number {
  return messages.reduce((sum, message) => sum + sizeOf(message), 0);
}
