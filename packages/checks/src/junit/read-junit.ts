/** Reads JUnit XML in its many variants. A test case fails if it contains a failure or an error. */
import { type CheckFailure, maxFailuresKept } from '@fettle/contract';
import type { Reading } from '../parser.ts';
import { readXml } from './read-xml.ts';

interface Case {
  attributes: Map<string, string>;
  result: 'passed' | 'failed' | 'skipped';
  message: string;
  text: string;
}

const results = new Map<string, Case['result']>([
  ['failure', 'failed'],
  ['error', 'failed'],
  ['skipped', 'skipped'],
]);
const keptText = 4_000;

/** Undefined for a file that is not JUnit XML or is truncated. */
export function readJunit(xml: string): Reading | undefined {
  const { counts, failures } = readCases(xml) ?? {};
  return counts && failures && { ...counts, failures };
}

/** The names of the tests that passed. */
export const readJunitNames = (xml: string): string[] => readCases(xml)?.names ?? [];

function readCases(xml: string) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failures: CheckFailure[] = [];
  const names: string[] = [];
  let isReport = false;
  let inside: Case | undefined;
  let isInResult = false;
  const wellFormed = readXml(xml.replace(/^\ufeff/, ''), {
    open(name, attributes) {
      isReport ||= name === 'testsuites' || name === 'testsuite';
      const result = results.get(name);
      if (name === 'testcase') inside = { attributes, result: 'passed', message: '', text: '' };
      if (!inside || result === undefined) return;
      isInResult = true;
      if (inside.result !== 'failed') inside.result = result;
      inside.message ||= attributes.get('message') ?? '';
    },
    text(text) {
      if (inside && isInResult && inside.text.length < keptText) inside.text += text.slice(0, keptText);
    },
    close(name) {
      if (results.has(name)) isInResult = false;
      if (name !== 'testcase' || !inside) return;
      counts[inside.result] += 1;
      if (inside.result === 'failed' && failures.length < maxFailuresKept)
        failures.push(describeCase(inside));
      if (inside.result === 'passed') names.push(describeCase(inside).name ?? '');
      inside = undefined;
    },
  });
  return wellFormed && isReport ? { counts, failures, names } : undefined;
}

function describeCase({ attributes, message, text }: Case): CheckFailure {
  const group = attributes.get('classname') ?? '';
  const title = attributes.get('name') ?? '';
  // Some tools write the file in the attribute for the class.
  const isFile = /\.\w{1,5}$/.test(group) && group.includes('.') && /[/\\]|\.(?:[cm]?[jt]sx?)$/.test(group);
  const file = attributes.get('file') ?? (isFile ? group : undefined);
  const ownLine = Number(attributes.get('line') ?? Number.NaN);
  const name = isFile || group === '' || group === 'test' ? title : `${group} ${title}`;
  return {
    ...(file !== undefined && { file }),
    ...(Number.isSafeInteger(ownLine) ? { line: ownLine } : findPlace(text, file)),
    name,
    message: message && text.includes(message) ? text : [message, text].filter(Boolean).join('\n'),
  };
}

const place = /^(?:file:\/\/)?([^:]+\.\w{1,5}):(\d{1,7})(?::(\d{1,7}))?/;

/** The first position in the test's own file, or in any file if that is unknown. */
function findPlace(text: string, file: string | undefined): Pick<CheckFailure, 'file' | 'line' | 'column'> {
  for (const word of text.split(/[\s()'"]/)) {
    const [, path, row, column] = place.exec(word) ?? [];
    if (path === undefined || path.includes('node_modules/') || (file !== undefined && path !== file))
      continue;
    return { file: path, line: Number(row), ...(column !== undefined && { column: Number(column) }) };
  }
  return {};
}
