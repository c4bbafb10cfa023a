/** The secret scanner: speed, findings compared with gitleaks, false alarms. `node bench/secrets.ts` */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { scanText } from '@fettle/secrets';
import { findGitleaks, GitleaksError, scanTextsWithGitleaks } from '@fettle/secrets/gitleaks';
import { type CorpusCase, generateSecrets } from '../test/corpora/secrets/generate.ts';
import {
  countFalseAlarms,
  largePackages,
  listOwnSources,
  listPackageSources,
} from '../test/corpora/secrets/sources.ts';
import { median } from './statistics.ts';

const seeds = [1, 2, 3, 4, 5];
const kinds = ['plain', 'evasive', 'look-alike'] as const;

/** Milliseconds of wall-clock and processor time for a text of this size, from sources of this repository and its dependencies. */
export function measureScan(megabytes: number, rounds: number): { clockMs: number; processorMs: number } {
  const text = gatherText(megabytes * 1_000_000);
  scanText(text.slice(0, 2_000_000));
  const samples = Array.from({ length: rounds }, () => {
    const startedAt = performance.now();
    const before = process.cpuUsage();
    scanText(text, { timeoutMs: 600_000 });
    const { user, system } = process.cpuUsage(before);
    return { clockMs: performance.now() - startedAt, processorMs: (user + system) / 1000 };
  });
  return {
    clockMs: median(samples.map(({ clockMs }) => clockMs)),
    processorMs: median(samples.map(({ processorMs }) => processorMs)),
  };
}

function gatherText(length: number): string {
  const texts: string[] = [];
  let left = length;
  const files = [...listOwnSources(), ...largePackages.flatMap(listPackageSources)];
  while (left > 0) {
    for (const file of files) {
      const text = readFileSync(file, 'utf8').slice(0, left);
      texts.push(text);
      left -= text.length;
      if (left <= 0) break;
    }
  }
  // One flat string, like the content of a file.
  return Buffer.from(texts.join('')).toString();
}

function tellFalseAlarms(name: string, files: string[]): void {
  const { lines, findings, inTenThousandLines } = countFalseAlarms(files);
  const share = inTenThousandLines.toFixed(2);
  console.log(`${name.padEnd(20)} ${lines} lines, ${findings.length} findings, ${share} in 10,000 lines`);
  for (const { rule, file, line, excerpt } of findings)
    console.log(`  ${rule} ${file}:${line} ${excerpt.slice(0, 100)}`);
}

function tell(name: string, corpus: CorpusCase[], found: boolean[]): void {
  const shares = kinds.map((kind) => {
    const of = found.filter((_, at) => corpus[at]?.kind === kind);
    return `${kind} ${((of.filter(Boolean).length / of.length) * 100).toFixed(1)} %`;
  });
  console.log(`${name.padEnd(20)} ${shares.join(', ')} (${corpus.length} cases)`);
}

async function findGitleaksIfAny(): Promise<string | undefined> {
  try {
    return await findGitleaks(process.env.FETTLE_HOME || join(homedir(), '.fettle'));
  } catch (error) {
    if (!(error instanceof GitleaksError)) throw error;
    console.log(`gitleaks             ${error.message}`);
    return undefined;
  }
}

if (import.meta.main) {
  for (const [megabytes, rounds] of [
    [1, 15],
    [10, 5],
    [50, 2],
  ] as const) {
    const { clockMs, processorMs } = measureScan(megabytes, rounds);
    const each = (processorMs / megabytes).toFixed(1);
    console.log(
      `${megabytes} MB`.padEnd(20),
      `${clockMs.toFixed(0)} ms, ${processorMs.toFixed(0)} of the processor, ${each} a megabyte`,
    );
  }
  const corpus = seeds.flatMap(generateSecrets);
  tell(
    'fettle',
    corpus,
    corpus.map(({ text }) => scanText(text).length > 0),
  );
  const program = await findGitleaksIfAny();
  if (program !== undefined) {
    const texts = corpus.map(({ text }, at) => ({ name: String(at), text }));
    const secrets = await scanTextsWithGitleaks(texts, { program });
    const named = new Set(secrets.map(({ finding }) => finding.file));
    tell(
      'gitleaks alone',
      corpus,
      corpus.map((_, at) => named.has(String(at))),
    );
  }
  tellFalseAlarms('this repository', listOwnSources());
  for (const name of largePackages) tellFalseAlarms(name.replace('+', '/'), listPackageSources(name));
}
