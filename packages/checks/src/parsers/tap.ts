/** The Test Anything Protocol, the default of node:test up to Node 18 and the output of many other tools. */
import type { CheckFailure } from '@fettle/contract';
import { maxMessage } from '../bounds.ts';
import type { Parser, Reading } from '../parser.ts';

const version = /^TAP version 1[34]$/;
const point = /^( *)(not ok|ok)\b(?: \d+)?(?: -)?(?: (.*))?$/;
const plan = /^1\.\.\d+$/;
const total = /^# (pass|fail|cancelled|skip|skipped|todo) +(\d+)$/;
const subtest = /^( *)# Subtest: (.*)$/;
/** tape names its tests in comments, and only tape pads the counts. */
const tapeTotal = /^# pass {2}\d+$/;
const comment = /^# (?!(?:tests|pass|fail|ok|skip|todo)\b)(.+)$/;
const location = /^ *location: '?(.+?):(\d+):(\d+)'?$/;
const error = /^ *(?:error|message): (.*)$/;

interface Point {
  ok: boolean;
  /** Skipped, or not expected to pass. */
  isIdle: boolean;
  indent: number;
  isSuite: boolean;
  failure: CheckFailure;
}

export const tap: Parser = {
  tool: 'tap',
  finds: 'tests',
  read({ lines }) {
    const start = lines.findIndex((line) => version.test(line) || plan.test(line));
    if (start === -1) return undefined;
    const points = listPoints(lines.slice(start));
    // Without a version, only a plan and its points show the protocol.
    if (points.length === 0 && !lines.some((line) => version.test(line))) return undefined;
    const failures = points.filter(({ ok, isIdle, isSuite }) => !(ok || isIdle || isSuite));
    return { ...count(lines, points), failures: failures.map(({ failure }) => failure) };
  },
};

function count(lines: string[], points: Point[]): Omit<Reading, 'failures'> {
  const totals = new Map<string, number>();
  for (const line of lines) {
    const [, word, number] = total.exec(line) ?? [];
    if (word !== undefined) totals.set(word, (totals.get(word) ?? 0) + Number(number));
  }
  const of = (word: string) => totals.get(word) ?? 0;
  if (totals.has('pass'))
    return {
      passed: of('pass'),
      failed: of('fail') + of('cancelled'),
      skipped: of('skipped') + of('skip') + of('todo'),
    };
  const single = points.filter(({ isSuite }) => !isSuite);
  return {
    passed: single.filter(({ ok, isIdle }) => ok && !isIdle).length,
    failed: single.filter(({ ok, isIdle }) => !(ok || isIdle)).length,
    skipped: single.filter(({ isIdle }) => isIdle).length,
  };
}

function listPoints(lines: string[]): Point[] {
  const points: Point[] = [];
  let open: Point | undefined;
  let isInError = false;
  const isTape = lines.some((line) => tapeTotal.test(line));
  let group: string | undefined;
  let parents: { indent: number; name: string }[] = [];
  for (const line of lines) {
    const [, indent = '', result, title = ''] = point.exec(line) ?? [];
    const [, depth = '', child] = subtest.exec(line) ?? [];
    if (isTape) group = comment.exec(line)?.[1] ?? group;
    if (child !== undefined)
      parents = [...within(parents, depth.length), { indent: depth.length, name: child }];
    if (result !== undefined) {
      const [name = '', directive = ''] = title.split(' # ');
      const isIdle = /^(skip|todo)/i.test(directive);
      // A test point after deeper ones is their suite.
      const isSuite = (open?.indent ?? 0) > indent.length;
      const suites = within(parents, indent.length).map((parent) => parent.name);
      const names = [...(group === undefined ? [] : [group]), ...suites, name];
      const failure = { name: names.filter(Boolean).join(' > '), message: '' };
      open = { ok: result === 'ok', isIdle, indent: indent.length, isSuite, failure };
      points.push(open);
    } else if (open) {
      isInError = readDetail(open, line, isInError);
    }
  }
  return points;
}

const maxDepth = 20;

const within = (parents: { indent: number; name: string }[], indent: number) =>
  parents.filter((parent) => parent.indent < indent).slice(0, maxDepth);

/** Returns whether the following lines belong to the message. */
function readDetail({ failure }: Point, line: string, isInError: boolean): boolean {
  const [, file = '', row, column] = location.exec(line) ?? [];
  if (row !== undefined) Object.assign(failure, { file, line: Number(row), column: Number(column) });
  const [, text] = error.exec(line) ?? [];
  if (text !== undefined && failure.message === '') {
    if (/^[|>]-?$/.test(text)) return true;
    failure.message = text.replace(/^'|'$/g, '');
    return false;
  }
  if (!isInError || /^ *[a-z_]+: ?/i.test(line)) return false;
  if (failure.message.length < maxMessage) failure.message += `${line.trim()}\n`;
  return true;
}
