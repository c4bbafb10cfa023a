/** Manifests and lockfiles that are read line by line: for each format, how it writes a source and a new package. */
import { posix } from 'node:path';
import type { ContentCheck, Found } from './content-rule.ts';
import { isInside, isRegistry } from './package-source.ts';
import type { Line, Reading } from './read-content.ts';

interface DependencyFile {
  files: RegExp;
  /** Matches a foreign source. The first group is the address. */
  sources: RegExp[];
  /** Matches a package name (first group), and the section heading it must be under. */
  packages?: { name: RegExp; section?: RegExp }[];
}

const address = String.raw`((?:git\+|hg\+|svn\+|bzr\+)?(?:https?|ssh|git|ftp|file):\/\/[^\s"'\x60,;)\]}>]{1,2000}|git@[\w.-]{1,200}:[^\s"',}]{1,500}|(?:github|gitlab|bitbucket|gist):[\w.-]{1,100}\/[^\s"',}]{1,200})`;
/** Ignores comments at the end of a line. */
const stated = new RegExp(`^[^#]*?(?<![\\w+])${address}`, 'i');
const after = (words: string) =>
  new RegExp(`(?<![\\w-])(?:${words})["']?\\s{0,20}[:=(]?\\s{0,20}["']?${address}`, 'i');
const ofPython =
  /^\s{0,20}"([a-z0-9][\w.-]{0,100})(?:\[[^\]]{0,200}\])?\s{0,5}(?:[=<>~!;@][^"]{0,500})?",?\s{0,20}$/i;
const ofToml = /^\s{0,20}"?([a-z0-9][\w-]{0,100})"?\s{0,5}=/i;

const dependencyFiles: DependencyFile[] = [
  {
    files: /^yarn\.lock$/,
    sources: [
      after('resolved'),
      /^"?((?:@[^\s"@]{1,100}\/)?[^\s"@]{1,100}@(?:git|https?:|ssh:|file:\.\.).{0,500})/,
    ],
  },
  {
    files: /^pnpm-lock\.yaml$/,
    sources: [
      after('tarball|repo|version|specifier'),
      /^\s{2,20}'?((?:[^\s'@]{0,100}@)?(?:https?|git|git\+\w{2,8}|ssh|file):[^\s']{1,500})'?:/,
    ],
  },
  { files: /^(bun\.lock|pnpm-workspace\.yaml)$/, sources: [stated] },
  {
    files: /^(requirements|constraints)[\w.-]*\.(txt|in)$/,
    sources: [stated, /^\s{0,20}((?:-e|--editable|-f|--find-links)[\s=].{0,500})/],
    packages: [{ name: /^\s{0,20}([a-z0-9][\w.-]{0,100})\s{0,5}(?:\[|[=<>~!;@#]|$)/i }],
  },
  {
    files: /^(pyproject\.toml|pipfile)$/,
    sources: [after('git|url|hg|svn|index-url|find-links'), new RegExp(`@\\s{0,5}${address}`, 'i')],
    packages: [
      { name: ofPython, section: /^\[(project|dependency-groups|project\.optional-dependencies)\]/ },
      { name: ofToml, section: /^\[(tool\.poetry\.([\w.-]{1,100}\.)?(dev-)?dependencies|(dev-)?packages)\]/ },
    ],
  },
  { files: /^(poetry|uv|pipfile)\.lock$/, sources: [after('url|git|registry')] },
  {
    files: /^cargo\.toml$/,
    sources: [
      after('git|registry-index'),
      /(?<![\w-])path\s{0,5}=\s{0,5}"((?:\/|~|\.\.\/|[a-z]:)[^"]{0,300})"/i,
    ],
    packages: [{ name: ofToml, section: /^\[([\w.'"()= -]{1,200}\.)?(dev-|build-)?dependencies\]/ }],
  },
  {
    files: /^cargo\.lock$/,
    sources: [
      /^source = "(?!registry\+https:\/\/github\.com\/rust-lang\/crates\.io-index"|sparse\+https:\/\/index\.crates\.io\/")([^"]{1,500})"/,
    ],
  },
  {
    files: /^go\.mod$/,
    sources: [/=>\s{1,20}(\S{1,300})/],
    packages: [
      { name: /^\s{0,20}(?:require\s{1,20})?([\w.-]{1,100}\.[\w-]{1,100}\/[\w./~-]{1,200})\s{1,20}v\d/ },
    ],
  },
  {
    files: /^gemfile(\.lock)?$/,
    sources: [
      after('git|source|remote'),
      /(?<![\w-])(?:github|gist|bitbucket):\s{0,20}["']([^"']{1,200})["']/,
    ],
    packages: [{ name: /^\s{0,20}gem\s{1,5}["']([\w.-]{1,100})["']/ }],
  },
];

export const findForeignSources: ContentCheck = (reading, { registries }) => {
  const file = dependencyFiles.find(({ files }) => files.test(reading.name));
  if (!file) return [];
  const folder = posix.dirname(reading.path);
  const isKnown = (source: string) =>
    isRegistry(source, registries) || (isPath.test(source) && isInside(source, folder));
  return [
    ...reading.added.flatMap((line) => findSource(file, line, isKnown)),
    ...(file.packages ?? []).flatMap((way) => findPackages(way, reading)),
  ];
};

const isPath = /^\.{1,2}(\/|$)/;

function findSource({ sources }: DependencyFile, line: Line, isKnown: (source: string) => boolean): Found[] {
  const found = sources.flatMap((pattern) => pattern.exec(line.text)?.[1] ?? []);
  return found
    .filter((source) => !isKnown(source))
    .slice(0, 1)
    .map((token) => ({ rule: 'dependency-source', line: line.number, token }));
}

type Way = NonNullable<DependencyFile['packages']>[number];

function findPackages(way: Way, { added, text, textBefore }: Reading): Found[] {
  const known = new Set(listPackages(way, textBefore).map(({ name }) => name));
  const isAdded = new Set(added.map(({ number }) => number));
  return listPackages(way, text)
    .filter(({ name, line }) => isAdded.has(line) && !known.has(name))
    .map(({ name, line }) => ({ rule: 'new-dependency', line, token: name }));
}

function listPackages({ name, section }: Way, text: string): { name: string; line: number }[] {
  let isInSection = section === undefined;
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (section && /^\[/.test(line)) isInSection = section.test(line);
    const found = isInSection ? name.exec(line)?.[1] : undefined;
    return found === undefined ? [] : [{ name: found.toLowerCase(), line: index + 1 }];
  });
}
