import type { Message } from '../model/model.ts';

/** Estimates tokens from characters. It learns the ratio from the usage that the service reports. */
export interface TokenEstimator {
  estimate(characters: number): number;
  learn(characters: number, tokens: number): void;
}

const initialRatio = 1 / 3.5;

export function createTokenEstimator(): TokenEstimator {
  let tokensPerCharacter = initialRatio;
  return {
    estimate: (characters) => Math.ceil(characters * tokensPerCharacter),
    learn(characters, tokens) {
      // A short text consists mostly of what the service adds to it.
      if (characters >= 4_000) tokensPerCharacter = Math.min(1, Math.max(0.1, tokens / characters));
    },
  };
}

const sizes = new WeakMap<Message, { pieces: number; characters: number }>();

/** The characters of a message, plus 60 per piece for its JSON. Cached until the message grows. */
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
