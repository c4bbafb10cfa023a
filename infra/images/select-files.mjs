// Part of the images' builds: selects what an image needs of the build context, for the packages of our own named as
// arguments and those that they depend on.
//   /manifests  package.json files and the lockfile. As long as they are equal, dependencies are not installed again.
//   /schema     the database's schema, for the same reason.
//   /gitleaks   what downloads gitleaks, for the same reason.
//   /image      what lays out the sandbox image, for the same reason.
//   /sources    sources without tests.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const manifests = globSync('{packages,services}/*/package.json').map((path) => {
  const { name, dependencies = {} } = JSON.parse(readFileSync(path, 'utf8'));
  return { folder: dirname(path), name, dependencies };
});

function foldersOf(names, known = new Set()) {
  for (const name of names) {
    const found = manifests.find((each) => each.name === name);
    if (found === undefined) throw new Error(`there is no package ${name}`);
    if (known.has(found.folder)) continue;
    known.add(found.folder);
    const ours = Object.entries(found.dependencies).filter(([, version]) => version.startsWith('workspace:'));
    foldersOf(
      ours.map(([dependency]) => dependency),
      known,
    );
  }
  return known;
}

const ofRoot = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'];
for (const path of [...ofRoot, ...manifests.map(({ folder }) => join(folder, 'package.json'))]) {
  copy(path, '/manifests');
}
for (const path of ['prisma', 'prisma.config.ts']) copy(join('packages/database', path), '/schema');
copySources(['@fettle/secrets'], '/gitleaks');
copySources(['@fettle/process', '@fettle/sandbox'], '/image');
copy('services/sandbox-broker/src/image', '/image');
copySources(process.argv.slice(2), '/sources');
for (const target of ['/image', '/sources']) copy('package.json', target);
copy('infra/compose', '/sources', (path) => !path.endsWith('.test.ts'));

function copySources(names, target) {
  for (const folder of foldersOf(names)) copy(folder, target, (path) => !isForTests(path, folder));
}

function isForTests(path, folder) {
  return path.endsWith('.test.ts') || basename(path) === 'testing' || path === join(folder, 'test');
}

function copy(path, target, filter = () => true) {
  if (!existsSync(path)) return;
  mkdirSync(dirname(join(target, path)), { recursive: true });
  cpSync(path, join(target, path), { recursive: true, filter });
}
