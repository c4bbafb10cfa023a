import { type Discovered, type Ecosystem, nothingDiscovered } from '../discovered.ts';
import { type RepositoryRoot, readManifest } from '../repository-root.ts';

export const cmake: Ecosystem = { name: 'CMake', find };

/** Outside of the tree, so that what the build writes never becomes part of a change. */
const folder = '"$TMPDIR/cmake-build"';
const configure = `cmake -S . -B ${folder}`;
const build = `${configure} && cmake --build ${folder} --parallel 2`;

async function find(root: RepositoryRoot): Promise<Discovered> {
  const found = nothingDiscovered();
  const text = await readManifest(root, 'CMakeLists.txt', found.remarks);
  if (text === undefined) return found;
  const source = 'CMakeLists.txt';
  const probe = 'command -v cmake';
  found.commands.build = { command: build, source, probe };
  if (/^\s*(?:enable_testing|add_test)\s*\(|^\s*include\s*\(\s*CTest\s*\)/im.test(text)) {
    const test = `${build} && ctest --test-dir ${folder} --output-on-failure`;
    found.commands.test = { command: test, source, probe: `${probe} && command -v ctest` };
  }
  return found;
}
