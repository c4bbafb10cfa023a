/** Recognises which check a script or a command is: by its name first, then by the tool that it starts. */
import type { Check } from '../../discovered.ts';

/** Names that mean a check wherever they appear. The first of several is the usual one. */
export const usualNames: Record<Check, string[]> = {
  typecheck: ['typecheck', 'type-check', 'check:types', 'check-types', 'types:check', 'tsc'],
  lint: ['lint', 'lint:check'],
  format: ['format:check', 'check:format', 'fmt:check', 'check:fmt', 'format-check', 'prettier:check'],
  test: ['test', 'test:unit'],
  build: ['build'],
};

/** Further names. They are used if a workflow or another script calls them. */
const otherNames: [Check, RegExp][] = [
  [
    'typecheck',
    /^(?:(?:test|lint|build|check|ci|unit)[:_-])?(?:types?|typings|typescript|tsc?|tsd|dts|dtslint|flow|type-?check|type-tests?)(?:[:_-].*)?$/,
  ],
  ['typecheck', /^(?:type-?checking|flow|vue-tsc|svelte-check|tstyche)$/],
  [
    'format',
    /^(?:(?:check|test|lint|verify|ci)[:_-])?(?:format|formatting|fmt|prettier)(?:[:_-](?:check|ci|test|verify))?$/,
  ],
  [
    'lint',
    /^(?:(?:check|test|ci|verify)[:_-])?(?:lint|eslint|xo|oxlint|jshint|stylelint|style|codestyle|biome|standard)(?:[:_-](?!fix|staged).*)?$/,
  ],
  [
    'test',
    /^(?:ci[:_-])?(?:tests?|unit|spec|specs|mocha|jest|vitest|ava|tap|jasmine)(?:[:_-](?!watch|debug|update|snapshots?).*)?$/,
  ],
  ['build', /^(?:ci[:_-])?(?:build|compile|bundle|transpile|dist)(?:[:_-](?!watch|docs?|site).*)?$/],
];

const tools: [Check, RegExp][] = [
  ['typecheck', /^vitest\b.*--typecheck\.only\b/],
  [
    'format',
    /^(?:prettier\b.*\s(?:-c|--check|-l|--list-different)\b|(?:oxfmt|dprint|rome|biome)\b.*(?:--check|\bcheck|\bformat\b(?!.*--write))|deno fmt --check)/,
  ],
  [
    'lint',
    /^(?:eslint|xo|oxlint|standard|ts-standard|semistandard|neostandard|tslint|jshint|jscs|stylelint|gts (?:lint|check)|biome (?:lint|ci)|markdownlint\S*|deno lint|tsdx lint|next lint)\b/,
  ],
  [
    'test',
    /^(?:vitest|jest|mocha|ava|tap|tape|uvu|jasmine|borp|lab|qunit|zora|poku|japa|bun test|deno test|deno task test|node\b.*\s--test\b|node (?:\.\/)?tests?\b|playwright test|cypress run|karma start|tsdx test|react-scripts test)(?:\s|$|\/|-)/,
  ],
  ['typecheck', /^(?:tsc|tsd|tstyche|vue-tsc|svelte-check|flow|dtslint|tsgo|attw|deno check)\b/],
  [
    'build',
    /^(?:rollup|tsup|tsdown|vite build|webpack|esbuild|unbuild|obuild|microbundle|parcel build|tsdx build|ncc build|next build|babel)\b/,
  ],
];

/** Programs that only start another one. */
const wrappers =
  /^(?:(?:cross-env|env|npx|pnpx|bunx|pnpm exec|yarn exec|bun x|dotenv|c8|nyc|--[\w-]*(?:=\S+)?|[A-Z_][A-Z0-9_]*=\S*)\s+)+/;

export function checkOfTool(command: string): Check | undefined {
  const words = command.trim().slice(0, 500);
  const bare = words.replace(wrappers, '');
  return tools.find(([, pattern]) => pattern.test(bare) || pattern.test(words))?.[0];
}

export function checkOfName(name: string): Check | undefined {
  for (const [check, names] of Object.entries(usualNames) as [Check, string[]][])
    if (names.includes(name)) return check;
  return otherNames.find(([, pattern]) => pattern.test(name))?.[0];
}

const browsers =
  /\b(?:karma|playwright|cypress|wdio|webdriver|testcafe|puppeteer|nightwatch|selenium|storybook|chromatic|saucelabs|browserstack)\b|--browser(?!s?=\w*node)|[:_-]browsers?\b|\be2e\b/;

/** No sandbox has a browser. */
export const needsBrowser = (command: string): boolean => browsers.test(command);

const watching = /\s--watch(?:All)?(?:\s|$)|^(?:nodemon|tsc -w|chokidar)\b/;

/** It would never end. */
export const watchesFiles = (command: string): boolean => watching.test(command);
