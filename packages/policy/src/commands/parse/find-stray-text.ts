/**
 * The parser is lenient: in `ls (; pwd` it silently drops the bracket. So the text between the words of a line must
 * consist only of spaces, comments and the operators that a plan supports.
 */
import {
  type Assignment,
  forEachChild,
  type Redirect,
  type Script,
  type SyntaxNode,
  type Word,
} from 'unbash';

type Piece = Word | Assignment | Redirect | Span;

/** A here-document, or its text with the line that closes it. */
interface Span {
  type: 'Span';
  pos: number;
  end: number;
}

const BETWEEN = /^(?:[ \t\n]|\\\n|;|&&|\|\||\|&|\||#[^\n]*(?=\n|$))*$/;

export function findStrayText(line: string, script: Script): string | undefined {
  const pieces: Piece[] = [];
  collectPieces(script, pieces);
  let at = 0;
  for (const piece of pieces.sort((a, b) => a.pos - b.pos)) {
    const between = line.slice(at, piece.pos);
    if (piece.pos < at || !BETWEEN.test(between)) return between.trim();
    if (takesDescriptor(piece, line)) return line.slice(piece.pos, piece.end + 1);
    at = piece.end;
  }
  const rest = line.slice(at);
  return BETWEEN.test(rest) ? undefined : rest.trim();
}

function collectPieces(node: SyntaxNode, pieces: Piece[]): void {
  if (node.type === 'Word' || node.type === 'Assignment' || node.type === 'Redirect') pieces.push(node);
  else if (node.type === 'HereDoc') {
    pieces.push({ type: 'Span', pos: node.pos, end: node.end });
    if (node.closing !== undefined) pieces.push({ type: 'Span', pos: node.body.pos, end: node.closing.end });
  } else forEachChild(node, (child) => collectPieces(child, pieces));
}

/** In `>2>file` the number belongs to the second redirection, and the first one has no file. */
function takesDescriptor(piece: Piece, line: string): boolean {
  if (piece.type !== 'Redirect' || piece.operator === '>&') return false;
  return /^\d+$/.test(piece.target?.text ?? '') && /[<>]/.test(line[piece.end] ?? '');
}
