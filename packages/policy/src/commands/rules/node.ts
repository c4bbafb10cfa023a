import type { Program, Refused } from './rule.ts';

const printed: Refused = { reason: 'the two flags cannot be told from a value', instead: 'use -p' };
const opensPort: Refused = { reason: 'no debugger can attach to it', instead: 'leave it out' };

export const node: Program = {
  names: ['node'],
  reason: 'runs a file of the workspace, which the sandbox contains',
  wordFlags: true,
  flags: `
    -v --version -c --check --test --test-only --test-force-exit --test-update-snapshots
    --no-warnings --experimental-strip-types --experimental-transform-types
    --no-experimental-strip-types --experimental-vm-modules --experimental-test-coverage
    --experimental-test-module-mocks --enable-source-maps --trace-warnings --trace-uncaught
    --trace-deprecation --throw-deprecation --expose-gc --preserve-symlinks --experimental-sqlite
    --experimental-import-meta-resolve --experimental-json-modules --experimental-require-module
    --test-name-pattern=pattern --test-skip-pattern=pattern --test-reporter=module
    --test-reporter-destination=write --test-concurrency=number --test-timeout=number
    --test-isolation=name --test-shard=name --test-coverage-include=pattern
    --test-coverage-exclude=pattern --import=module --require=module -r=module --loader=module
    --experimental-loader=module --conditions=name -C=name --max-old-space-size=number
    --stack-trace-limit=number --stack-size=number --unhandled-rejections=name
    -e=javascript-code --eval=javascript-code -p=javascript-code --print=javascript-code --input-type=name
  `,
  operands: ['read', 'argument...'],
  stopsAtOperand: true,
  firstUnless: ['-e', '--eval', '-p', '--print'],
  runsInput: 'javascript',
  minOperands: 1,
  minUnless: ['--test', '--version', '-v', '-e', '--eval', '-p', '--print'],
  refused: {
    '-pe': printed,
    '-i': { reason: 'there is no terminal', instead: 'write a file, and run it' },
    '--interactive': { reason: 'there is no terminal', instead: 'write a file, and run it' },
    '--watch': { reason: 'watching never ends', instead: 'leave --watch out' },
    '--inspect': opensPort,
    '--inspect-brk': opensPort,
    '--env-file': { reason: 'such files hold secrets', instead: 'put NAME=value in front of the command' },
    '--run': { reason: 'scripts are run by npm', instead: 'npm run <script>' },
  },
  match: [
    'node script.js',
    'node --check src/a.js',
    'node --test',
    'node --test src/*.test.ts',
    'node --import tsx src/a.ts --flag x',
    'node -v',
    'node --experimental-strip-types a.ts',
    'node -e "console.log(require(\'./package.json\').version)"',
    "node -p 'process.version'",
    "node --input-type=module -e 'console.log(1)' a b",
    "node - <<'EOF'\nconsole.log(1)\nEOF",
  ],
  notMatch: [
    'node -e \'require("child_process")\'',
    'node -p "process[1]"',
    "node -e \"require('fs').readFileSync('/etc/passwd')\"",
    'node -e "fetch(1)"',
    "node -e \"require('fs').writeFileSync('.git/config', 1)\"",
    "node - <<'EOF'\nrequire('child_' + 'process')\nEOF",
    "node -e 'eval(1)'",
    'node -e',
    'node -pe 1',
    'node --import data:text/javascript,1 a.js',
    'node --env-file=.env a.js',
    'node -i',
    'node',
    'node --inspect=0.0.0.0:9229 a.js',
    'node /tmp/x.js',
    'node ../x.js',
    'node -',
    'node --openssl-config=/tmp/x a.js',
    'node --require /tmp/x.js a.js',
  ],
};
