import { type Discovered, type Ecosystem, type FoundCommand, nothingDiscovered } from '../discovered.ts';
import { type RepositoryRoot, readManifest } from '../repository-root.ts';

export const ruby: Ecosystem = { name: 'Ruby', find };

async function find(root: RepositoryRoot): Promise<Discovered> {
  const found = nothingDiscovered();
  const rakefile = await readManifest(
    root,
    ['Rakefile', 'rakefile', 'Rakefile.rb'].find(root.has) ?? '',
    found.remarks,
  );
  const paths = await root.paths();
  const isRuby =
    root.has('Gemfile') || rakefile !== undefined || paths.some((path) => /^[^/]+\.gemspec$/.test(path));
  if (!isRuby) return found;
  const hasGemfile = root.has('Gemfile');
  const command = (program: string, args: string, source: string): FoundCommand => {
    const plain = { command: `${program}${args}`, source, probe: `command -v ${program}` };
    if (!hasGemfile) return plain;
    const inBundle = `bundle exec ${program}`;
    // Where the gems of the Gemfile are not installed, those of the system may do.
    return { command: `${inBundle}${args}`, source, probe: `${inBundle} --version`, instead: [plain] };
  };
  const specs = paths.some((path) => /^spec\/.*_spec\.rb$/.test(path));
  const tests = paths.some((path) => /^test\/.*(?:_test|test_[^/]*)\.rb$/.test(path));
  const hasTask = /TestTask\.(?:new|create)|task[ (]+(?::test\b|test:|["']test["'])/.test(rakefile ?? '');
  if (root.has('.rspec') || specs) found.commands.test = command('rspec', '', specs ? 'spec/' : '.rspec');
  else if (hasTask) found.commands.test = command('rake', ' test', 'Rakefile');
  else if (tests) {
    const all = `-Ilib -Itest -e 'Dir["test/**/{*_test,test_*}.rb"].sort.each { |file| require "./" + file }'`;
    found.commands.test = command('ruby', ` ${all}`, 'test/');
  }
  const rubocop = ['.rubocop.yml'].find(root.has);
  if (rubocop) found.commands.lint = command('rubocop', '', rubocop);
  return found;
}
