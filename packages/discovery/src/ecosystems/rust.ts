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
  const compiler = toCompiler(findVersion(manifest));
  const cargo = (command: string, source: string): FoundCommand => ({
    command: `cargo ${command}`,
    source,
    ...compiler,
    // clippy and fmt are optional components of Rust.
    ...(/^(?:clippy|fmt)/.test(command) &&
      toComponent(compiler, command.startsWith('fmt') ? 'fmt' : 'clippy')),
  });
  const compiling: [Check, FoundCommand][] = [
    ...(clippy
      ? [['lint', cargo(`clippy${everywhere} --all-targets`, clippy)] as [Check, FoundCommand]]
      : []),
    ['test', cargo(`test${everywhere}`, 'Cargo.toml')],
    ['build', cargo(`build${everywhere}`, 'Cargo.toml')],
  ];
  if (rustfmt) found.commands.format = cargo('fmt --check', rustfmt);
  Object.assign(found.commands, Object.fromEntries(compiling));
  if (!(await canCompile(root)))
    found.remarks.push(
      'Cargo.lock has crates of crates.io, which cargo cannot reach from a sandbox: vendor them with cargo vendor',
    );
  return found;
}

/** The version of Rust that the repository needs. */
function findVersion(manifest: string): string | undefined {
  const [, named] = /^rust-version\s*=\s*"(\d{1,3}(?:\.\d{1,3}){1,2})"/m.exec(manifest) ?? [];
  return named ?? (/^edition\s*=\s*"2024"/m.test(manifest) ? '1.85' : undefined);
}

/** An older cargo may not even be able to read the manifest. */
function toCompiler(version: string | undefined): Pick<FoundCommand, 'probe' | 'needs'> {
  if (version === undefined) return { probe: 'command -v cargo' };
  const isRecent = `printf '%s\\n' ${version} "$(rustc --version | cut -d ' ' -f 2)" | sort -VC`;
  return { probe: `command -v cargo && ${isRecent}`, needs: `Rust ${version} or later` };
}

function toComponent(
  { probe, needs = 'Rust' }: Pick<FoundCommand, 'probe' | 'needs'>,
  component: 'fmt' | 'clippy',
): Pick<FoundCommand, 'probe' | 'needs'> {
  const name = component === 'fmt' ? 'rustfmt' : component;
  return { probe: `${probe} && cargo ${component} --version`, needs: `${needs} with ${name}` };
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
