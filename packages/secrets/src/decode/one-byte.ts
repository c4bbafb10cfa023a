// Patterns take half as long again on a text of two bytes a character, and one typographic quote makes a text one.
// No rule looks for such characters, so they are replaced, one for one, by one that means nothing to any rule.

/** Those that `readings` would read: a text that has one stays as it is. */
const telling =
  /[\u0250-\u02af\u0370-\u058f\u061c\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uff00-\uffef\ud835\udb40]|\u034f|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]/;

export function toOneByte(text: string): string {
  let isTelling = false;
  const narrow = text.replace(/[^\0-\xff]+/g, (run) => {
    isTelling ||= telling.test(run);
    return '\xb7'.repeat(run.length);
  });
  // Only a copy is stored in one byte a character.
  return isTelling || narrow === text ? text : Buffer.from(narrow, 'latin1').toString('latin1');
}
