import {
  type Check,
  type Discovered,
  type Ecosystem,
  type FoundCommand,
  nothingDiscovered,
} from '../discovered.ts';
import { type RepositoryRoot, readManifest } from '../repository-root.ts';
import { readSections } from '../sections.ts';

const lockfileBytes = 16_000_000;
const cargoConfigs = ['.cargo/config.toml', '.cargo/config'];

export const rust: Ecosystem = { name: 'Rust', find };

async function find(root: RepositoryRoot): Promise<Discovered> {
  const found = nothingDiscovered();
  const manifest = await readManifest(root, 'Cargo.toml', found.remarks);
  if (manifest === undefined) return found;
  const sections = readSections(manifest);
  const everywhere = sections.has('workspace') ? ' --workspace' : '';
  const lints = ['lints.clippy', 'workspace.lints.clippy'].find((name) => sections.has(name));
  const clippy = ['clippy.toml', '.clippy.toml'].find(root.has) ?? (lints && `[${lints}] in Cargo.toml`);
  const rustfmt = ['rustfmt.toml', '.rustfmt.toml'].find(root.has);
  const cargo = (command: string, source: string): FoundCommand => ({
    command: `cargo ${command}`,
    source,
    // clippy and fmt are optional components of Rust.
    probe: /^(clippy|fmt)/.test(command) ? `cargo ${command.split(' ', 1)[0]} --version` : 'command -v cargo',
  });
  const compiling: [Check, FoundCommand][] = [
    ...(clippy
      ? [['lint', cargo(`clippy${everywhere} --all-targets`, clippy)] as [Check, FoundCommand]]
      : []),
    ['test', cargo(`test${everywhere}`, 'Cargo.toml')],
    ['build', cargo(`build${everywhere}`, 'Cargo.toml')],
  ];
  if (rustfmt) found.commands.format = cargo('fmt --check', rustfmt);
  if (await canCompile(root)) Object.assign(found.commands, Object.fromEntries(compiling));
  else
    found.remarks.push(
      `not used: ${compiling.map(([, { command }]) => command).join(', ')}. Cargo.lock has crates from a registry, ` +
        'which cargo cannot reach from a sandbox. Vendor them with cargo vendor',
    );
  return found;
}

/** No environment variable can point cargo to a registry, so crates must be vendored in the repository. */
async function canCompile(root: RepositoryRoot): Promise<boolean> {
  const lockfile = root.has('Cargo.lock') ? await root.read('Cargo.lock', lockfileBytes) : undefined;
  const needsCrates =
    lockfile && (!('text' in lockfile) || /^source = "(registry|git|sparse)\+/m.test(lockfile.text));
  if (!needsCrates) return true;
  const configs = await Promise.all(cargoConfigs.map((name) => root.read(name, lockfileBytes)));
  return configs.some((file) => file && 'text' in file && file.text.includes('replace-with'));
}
