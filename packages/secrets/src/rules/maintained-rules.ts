// secretlint's recommended rules, called directly instead of through its core: they are synchronous where the
// core is not, and the rule that honours `secretlint-disable` comments is simply left out.
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretLintRuleContext, SecretLintSourceCode } from '@secretlint/types';
import type { Match } from '../finding.ts';
import { isPlaceholderPassword } from '../placeholders.ts';
import { maintainedMarks } from './maintained-marks.ts';
import type { Scan } from './own-rules.ts';

type Report = Parameters<SecretLintRuleContext['report']>[0];

const obeysComments = '@secretlint/secretlint-rule-filter-comments';
/** Where a rule reports the secret separately from its range, the secret starts within this distance. */
const reach = 400;

/** One function per rule, so that a time limit can be checked between them. */
export const maintainedRules: Scan[] = rules
  .filter(({ meta }) => meta.id !== obeysComments)
  .map((rule) => {
    const id = rule.meta.id.replace('@secretlint/secretlint-rule-', '');
    const marks = maintainedMarks[id];
    return (text, mayHave) => {
      if (marks && !marks.some(mayHave)) return [];
      const matches: Match[] = [];
      const context: SecretLintRuleContext = {
        sharedOptions: {},
        createTranslator: () => (messageId, data) => ({ message: '', messageId: String(messageId), data }),
        ignore: () => {},
        report: (report) => {
          const match = narrow(toMatch(id, text, report));
          if (match) matches.push(match);
        },
      };
      rule.create(context, {}).file?.(asSource(text));
      return matches;
    };
  });

function toMatch(id: string, text: string, { range, message }: Report): Match {
  const [start, end] = range;
  // Some ranges start at the name before the secret and are too short by its length. The reported value is right.
  const values = Object.values(message.data ?? {}).filter((value) => typeof value === 'string');
  const within = text.slice(start, Math.min(end + reach, text.length));
  const value = values.find((each) => each.length >= 8 && within.includes(each)) ?? text.slice(start, end);
  const at = start + Math.max(0, within.indexOf(value));
  return { rule: id, severity: 'high', start: at, end: at + value.length, value, hidden: false };
}

/** In a URL only the password is secret, and in examples not even that. One rule matches the whole rest of a line. */
function narrow(match: Match): Match | undefined {
  const address = /^[a-z][a-z0-9+.-]{1,20}:\/\/[^:@/\s]{0,100}:([^\s/]{1,200})@/i.exec(match.value);
  const word = match.rule === 'npm' ? (/^[^\s"'`,;)]*/.exec(match.value)?.[0] ?? '') : match.value;
  const value = address?.[1] ?? word;
  if (value.length < 8 && !address) return undefined;
  if (address && isPlaceholderPassword(value)) return undefined;
  const start = match.start + match.value.indexOf(value, address ? match.value.indexOf('://') + 3 : 0);
  return { ...match, start, end: start + value.length, value };
}

/** Without a name or an extension: one rule would read the file of that name from disk. */
function asSource(text: string): SecretLintSourceCode {
  const nowhere = { line: 1, column: 0 };
  return {
    content: text,
    filePath: undefined,
    physicalFilePath: undefined,
    ext: '',
    hasBOM: false,
    contentType: 'text',
    getFilePath: () => undefined,
    getPhysicalFilePath: () => undefined,
    locationToRange: () => [0, 0],
    rangeToLocation: () => ({ start: nowhere, end: nowhere }),
    positionToIndex: () => 0,
    indexToPosition: () => nowhere,
  };
}
