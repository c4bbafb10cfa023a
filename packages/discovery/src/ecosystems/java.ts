import { type Discovered, type Ecosystem, type FoundCommand, nothingDiscovered } from '../discovered.ts';
import type { RepositoryRoot } from '../repository-root.ts';

export const java: Ecosystem = { name: 'Java', find };

interface Builder {
  files: string[];
  /** A script of the repository that downloads the right version. */
  wrapper: string;
  program: string;
  test: string;
  build: string;
}

const builders: Builder[] = [
  {
    files: ['pom.xml'],
    ...{ wrapper: 'mvnw', program: 'mvn' },
    ...{ test: '-B test', build: '-B package -DskipTests' },
  },
  {
    files: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
    ...{ wrapper: 'gradlew', program: 'gradle' },
    ...{ test: '--console=plain test', build: '--console=plain assemble' },
  },
];

async function find(root: RepositoryRoot): Promise<Discovered> {
  const found = nothingDiscovered();
  const builder = builders.find(({ files }) => files.some(root.has));
  if (builder === undefined) return found;
  const source = builder.files.find(root.has) ?? '';
  for (const check of ['test', 'build'] as const) {
    const installed: FoundCommand = {
      ...{ command: `${builder.program} ${builder[check]}`, source },
      probe: `command -v java && command -v ${builder.program}`,
    };
    const wrapped: FoundCommand = {
      ...{ command: `sh ./${builder.wrapper} ${builder[check]}`, source: builder.wrapper },
      // The wrapper needs its version to be there, because it cannot be downloaded in a sandbox.
      probe: `command -v java && sh ./${builder.wrapper} --version`,
    };
    found.commands[check] = root.has(builder.wrapper) ? { ...wrapped, instead: [installed] } : installed;
  }
  return found;
}
