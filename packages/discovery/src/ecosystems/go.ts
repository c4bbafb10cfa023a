import { type Check, type Discovered, type Ecosystem, nothingDiscovered } from '../discovered.ts';
import { type RepositoryRoot, readManifest } from '../repository-root.ts';

/** With -v, the tests that pass are named and counted. */
const commands: [Check, string][] = [
  ['lint', 'go vet ./...'],
  ['test', 'go test -v ./...'],
  ['build', 'go build ./...'],
];
const probe = 'command -v go';
const vendoredBytes = 16_000_000;

export const go: Ecosystem = { name: 'Go', find };

async function find(root: RepositoryRoot): Promise<Discovered> {
  const found = nothingDiscovered();
  const manifest = await readManifest(root, 'go.mod', found.remarks);
  if (manifest === undefined && !root.has('go.mod')) return found;
  for (const [check, command] of commands) found.commands[check] = { command, source: 'go.mod', probe };
  const isVendored = (await root.read('vendor/modules.txt', vendoredBytes)) !== undefined;
  // Without a go.sum there are no modules to download.
  if (root.has('go.sum') && !isVendored)
    found.setup.push({ command: 'go mod download', source: 'go.sum', probe, registry: 'go' });
  return found;
}
