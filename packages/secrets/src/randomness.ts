/** Distinguishes randomly generated values from values that a person wrote. */

// The letter pairs that make up most of written English, German and French, and of names in code.
const commonPairs = new Set(
  'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke ui ud ue up ub ag ap pi da do if bi ff oc ok oo ob od bo cl cr cu dr du eg ei ep ef ew ey fr fu ga gi gr gu hu iz ki ks lu mu nu ov ph qu rd rc rm rn ru sc sp sk sw ck ug um va vo ys'.split(
    ' ',
  ),
);
const mostWritten = 0.45;

/** Bits per character. */
function measureEntropy(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Whether a value looks random: long enough, mixed, and not made of words. */
export function looksRandom(value: string): boolean {
  if (value.length < 8 || /\s/.test(value)) return false;
  if (/^\d+$/.test(value)) return false;
  if (/^(?:0x)?[0-9a-f-]+$/i.test(value)) return value.length >= 16 && looksLikeHex(value);
  if (value.length < 16) return countKinds(value) >= 3 && /\d/.test(value) && !isWritten(value);
  if (measureEntropy(value) < 3.2 || isWritten(value)) return false;
  return /\d/.test(value) || (value.length >= 24 && countKinds(value) >= 2);
}

function looksLikeHex(value: string): boolean {
  return /\d/.test(value) && /[a-f]/i.test(value) && measureEntropy(value) >= 2.8;
}

function countKinds(value: string): number {
  return [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
}

/** Whether enough of its letter pairs are typical of words. */
function isWritten(value: string): boolean {
  let pairs = 0;
  let common = 0;
  for (let at = 0; at + 1 < value.length; at += 1) {
    const pair = value.slice(at, at + 2);
    if (!/^(?=.?[A-Za-z])[A-Za-z0-9]{2}$/.test(pair)) continue;
    pairs += 1;
    // In words, a capital rarely follows a small letter, and a digit rarely follows a letter.
    if (/^(?:[A-Za-z][a-z]|[A-Z]{2})$/.test(pair) && commonPairs.has(pair.toLowerCase())) common += 1;
  }
  return pairs > 0 && common / pairs >= mostWritten;
}
