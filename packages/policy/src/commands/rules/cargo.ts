import type { Form, Program, Refused } from './rule.ts';

const installs: Refused = {
  reason: 'there is no network in the sandbox',
  instead: 'use install_dependencies',
};
const settings: Refused = { reason: 'settings can make it run programs', instead: 'leave it out' };

const building: Form = {
  flags: `
    -r --release --all-targets --workspace --all --lib --bins --tests --examples --benches
    --all-features --no-default-features --locked --offline --frozen -q --quiet -v -vv --verbose
    --keep-going --doc --no-run --no-fail-fast --no-deps --fix --allow-dirty --allow-staged --check
    --document-private-items -p=name --package=name --exclude=pattern --bin=name --test=name
    --example=name --bench=name -F=text --features=text --target=name --profile=name -j=number
    --jobs=number --message-format=name --color=name --manifest-path=read --target-dir=write
  `,
  afterDashes: 'argument...',
  refused: {
    '--config': settings,
    '-Z': settings,
    '-C': { reason: 'it would run in another folder', instead: 'use cd folder && …' },
  },
};

export const cargo: Program = {
  names: ['cargo'],
  reason: 'builds and tests, which the sandbox contains',
  flags: '-V --version -q -v',
  refused: {
    ...building.refused,
    install: installs,
    add: installs,
    update: installs,
    fetch: installs,
    vendor: installs,
    search: installs,
    publish: { reason: 'nothing is published from here', instead: 'leave it out' },
    login: { reason: 'nothing is published from here', instead: 'leave it out' },
  },
  subcommands: [
    {
      names: ['build', 'b', 'check', 'c', 'clippy', 'doc', 'd'],
      reason: 'compiles and checks packages of the workspace',
      ...building,
      match: [
        'cargo build',
        'cargo check --workspace --all-targets',
        'cargo clippy --all-targets -- -D warnings',
        'cargo build --release -p core',
      ],
      notMatch: [
        'cargo build --config build.rustc-wrapper=id',
        'cargo build --target-dir /tmp/x',
        'cargo +nightly build',
        'cargo build extra',
        'cargo biuld',
      ],
    },
    {
      names: ['test', 't', 'bench', 'nextest run'],
      reason: 'runs tests of the workspace',
      ...building,
      operands: ['text'],
      match: [
        'cargo test',
        'cargo test parse_line -- --nocapture',
        'cargo test -p core --lib',
        'cargo t --no-run',
      ],
      notMatch: ['cargo test --config x', 'cargo test a b', 'cargo test --manifest-path /etc/Cargo.toml'],
    },
    {
      names: ['run', 'r'],
      reason: 'runs a program of the workspace, which the sandbox contains',
      ...building,
      operands: ['argument...'],
      match: ['cargo run', 'cargo run --bin app -- --help', 'cargo run --release'],
      notMatch: ['cargo run --config x', 'cargo run --manifest-path=/x/Cargo.toml'],
    },
    {
      names: ['fmt'],
      reason: 'formats the workspace',
      ...building,
      match: ['cargo fmt', 'cargo fmt --all -- --check', 'cargo fmt --check'],
      notMatch: ['cargo fmt --manifest-path /x', 'cargo fmt x'],
    },
    {
      names: ['tree', 'metadata', 'pkgid', 'locate-project', 'clean', 'fix'],
      reason: 'reports on the workspace',
      ...building,
      flags: `
        ${building.flags} -d --duplicates --no-dedupe --depth=number
        -e=name --format-version=number -i=name
      `,
      operands: ['name'],
      match: ['cargo tree -i serde', 'cargo metadata --no-deps --format-version 1', 'cargo clean'],
      notMatch: ['cargo tree --config x', 'cargo clean --target-dir=/'],
    },
  ],
  match: ['cargo --version'],
  notMatch: ['cargo install evil', 'cargo publish', 'cargo add serde', 'cargo -C /x build', 'cargo evil'],
};
