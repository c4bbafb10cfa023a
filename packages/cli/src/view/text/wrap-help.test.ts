import { Command } from 'commander';
import { expect, test } from 'vitest';
import { textWidth } from './text-width.ts';
import { helpWidth, wrapHelp } from './wrap-help.ts';

const about = 'what the change has to do, in as many words as it takes to say that';

function help(columns: number): string[] {
  const output = { isTTY: true, columns };
  let text = '';
  new Command('fettle')
    .option('--requirement <text>', about)
    .addHelpText('after', `\nExamples:\n  fettle run fix "${'x'.repeat(90)}"\n\nA sentence: ${about}.`)
    .configureHelp({ minWidthToWrap: 20 })
    .configureOutput({
      getOutHelpWidth: () => helpWidth(output),
      writeOut: (each) => {
        text += wrapHelp(each, output);
      },
    })
    .outputHelp();
  return text.split('\n');
}

test.each([120, 80, 61, 59, 40])(
  'with %i columns every word is there, and only examples are longer',
  (columns) => {
    const lines = help(columns);
    const isExample = (line: string) => line.startsWith('  fettle run');
    expect(lines.filter((line) => !isExample(line) && textWidth(line) > columns)).toEqual([]);
    expect(lines.filter(isExample)).toHaveLength(1);
    const text = lines.join(' ').replace(/\s+/g, ' ');
    expect(text).toContain(`--requirement <text> ${about}`);
    expect(text).toContain(`A sentence: ${about}.`);
  },
);

test('a narrow terminal has descriptions below their options', () => {
  expect(help(40).slice(2, 7)).toEqual([
    'Options:',
    '  --requirement <text>',
    '      what the change has to do, in as',
    '      many words as it takes to say that',
    '  -h, --help',
  ]);
});
