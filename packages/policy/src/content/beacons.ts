import type { ContentCheck } from './content-rule.ts';

const pages = /^(md|mdx|markdown|rst|adoc|txt)$/;
/** The start of an image address: in Markdown, in a reference list, in HTML. */
const start =
  /(?:\]\(\s{0,20}<?|^\s{0,3}\[[^\]]{1,200}\]:\s{1,20}<?|\bsrc(?:set)?\s{0,20}=\s{0,20}["']?|image::?\s{0,20})(https?:\/\/[^\s"'>)]{1,4000})/gi;
const isImage = /!\[|<img\b|^\s{0,3}\[[^\]]{1,200}\]:|image::?/i;
/** A placeholder for data: `{secret}`, `$KEY`, `<token>`, `%s`, `[DATA]`. */
const slot = /\{|\$[A-Za-z_(]|<[a-z_ -]{1,50}>?|%(?:25)?s\b|%7b|\[[A-Z_]{3,50}\]/;
/** A long random-looking run in the query. Badge URLs are short. */
const payload = /[?&#][^=&#]{0,100}=[A-Za-z0-9+/_-]{64}/;

export const findBeacons: ContentCheck = ({ extension, added }) => {
  if (!pages.test(extension)) return [];
  return added.flatMap(({ number, text }) => {
    if (!isImage.test(text)) return [];
    return [...text.matchAll(start)]
      .map(([, address = '']) => address)
      .filter((address) => carriesData(address.replace(/^https?:\/\/[^/?#]{1,300}/i, '')))
      .map((address) => ({ rule: 'beacon' as const, line: number, token: address }));
  });
};

const carriesData = (request: string) => slot.test(request) || payload.test(request);
