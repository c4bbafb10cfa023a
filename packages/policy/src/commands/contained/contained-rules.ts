/** What is refused at once in the mode `contained`, with advice. */
import type { ContainedRule } from './contained-rule.ts';

const noNetwork = {
  reason: 'there is no network in the sandbox, except to localhost',
  instead: 'work with what is in the repository; install_dependencies brings packages',
};
const byTool = {
  reason: 'there is no network in the sandbox: packages are installed only with install_dependencies',
  instead: 'use install_dependencies',
};
const bySetup = {
  reason: 'there is no network in the sandbox',
  instead:
    'work with what is installed; install_dependencies brings packages of JavaScript, and the repository’s set-up brings the others',
};
const publishing = {
  reason: 'nothing is published from here, and there are no credentials',
  instead: 'leave it out: Fettle proposes the files that you leave behind',
};
const asked = ['--help', '-h', '--version', '-V'];
const node = {
  programs: ['npm', 'pnpm', 'yarn', 'bun', 'cnpm'],
  valueFlags: ['--prefix', '-C', '--dir', '--cwd', '--filter', '-F', '-w', '--workspace', '--loglevel'],
};
const git = { programs: ['git'], valueFlags: ['-C', '-c', '--git-dir', '--work-tree'] };

export const containedRules: ContainedRule[] = [
  {
    rule: 'contained/network',
    programs: 'curl wget http https xh nc ncat netcat telnet ftp ping ping6 socat'.split(' '),
    unless: asked,
    exceptLoopback: true,
    ...noNetwork,
    match: [
      'curl https://example.com',
      'cd a && wget -q example.com/x',
      'x=$(curl -s example.com)',
      'nc -z 10.0.0.1 80',
    ],
    notMatch: [
      'curl -s http://localhost:3000/health',
      'curl 127.0.0.1:8080',
      'nc -z localhost 5173',
      'curl --version',
      'curl "$URL"',
      'echo curl',
    ],
  },
  {
    rule: 'contained/network',
    programs:
      'ssh scp sftp dig nslookup host whois gh glab hub aws gcloud az kubectl helm docker docker-compose podman vercel netlify heroku flyctl wrangler claude codex'.split(
        ' ',
      ),
    unless: asked,
    ...noNetwork,
    match: ['gh pr view 1', 'docker compose up -d', 'for i in 1 2; do gh run list; done', 'sudo docker ps'],
    notMatch: ['gh --version', 'grep -rn docker .', 'command -v gh'],
  },
  {
    rule: 'contained/network',
    programs: ['rsync'],
    onlyWith: /^(rsync:\/\/|[^/]+:)/,
    ...noNetwork,
    match: ['rsync -a src host:/tmp'],
    notMatch: ['rsync -a src/ out/'],
  },
  {
    rule: 'contained/git-remote',
    ...git,
    subcommands: ['push', 'send-email'],
    reason: 'the sandbox has no network and no credentials: what you change is pushed for you at the end',
    instead: 'leave it out; what is committed or not, all changed files are taken',
    match: ['git push', 'git -C . push -u origin x', 'git commit -m x && git push'],
    notMatch: ['git stash push', 'git log --grep push'],
  },
  {
    rule: 'contained/git-remote',
    ...git,
    subcommands: ['fetch', 'pull', 'clone', 'ls-remote', 'remote update', 'submodule update'],
    exceptWith: /^(\.{1,2}$|\.{0,2}\/|file:)/,
    unless: asked,
    reason: 'the sandbox has no network: the clone contains all that there is',
    instead: 'use git log, git show and git diff on what is here',
    match: ['git fetch origin main', 'git -C . pull', 'git pull', 'git clone https://example.com/x'],
    notMatch: ['git log origin/main', 'git remote -v', 'git clone . /tmp/copy', 'git pull ../other main'],
  },
  {
    rule: 'contained/install',
    ...node,
    subcommands:
      'install i ci add update up upgrade install-test it clean-install dlx create init@latest link'.split(
        ' ',
      ),
    unless: [...asked, '--offline'],
    ...byTool,
    match: [
      'npm install',
      'cd web && npm ci',
      'pnpm -C a add zod',
      'CI=true pnpm install',
      'yarn add left-pad',
    ],
    notMatch: ['npm test', 'npm run install:hooks', 'pnpm run add', 'npm ls', 'npm install --offline'],
  },
  {
    rule: 'contained/install',
    programs: [
      'pip',
      'pip3',
      'pipx',
      'conda',
      'mamba',
      'pipenv',
      'gem',
      'brew',
      'apt',
      'apt-get',
      'apk',
      'yum',
      'dnf',
    ],
    subcommands: ['install', 'download', 'upgrade', 'update', 'add', 'create'],
    unless: [...asked, '--no-index', '--no-deps', '-e', '--editable', '--local'],
    ...bySetup,
    match: ['pip install httpx', 'sudo apt-get install -y jq', 'brew install jq'],
    notMatch: ['pip list', 'pip install --no-index x', 'pip install -e .', 'pip show x'],
  },
  {
    rule: 'contained/install',
    programs: ['python', 'python3'],
    subcommands: ['pip install', 'pip download'],
    valueFlags: [],
    unless: ['--no-index', '--no-deps', '-e', '--editable'],
    ...bySetup,
    match: ['python -m pip install x'],
    notMatch: ['python -m pip list', 'python -m pytest'],
  },
  {
    rule: 'contained/install',
    programs: ['cargo', 'go', 'poetry', 'uv', 'pdm', 'composer', 'rustup', 'nvm', 'corepack'],
    subcommands: ['install', 'add', 'update', 'get', 'require', 'pip install', 'prepare', 'self update'],
    unless: [...asked, '--offline', '--no-index', '--path'],
    ...bySetup,
    match: ['cargo add serde', 'go get example.com/x', 'uv pip install x', 'poetry add x'],
    notMatch: ['cargo test', 'go test ./...', 'uv run pytest', 'cargo install --path .'],
  },
  {
    rule: 'contained/publish',
    ...node,
    subcommands: 'publish unpublish deprecate dist-tag login logout adduser whoami token owner access'.split(
      ' ',
    ),
    unless: [...asked, '--dry-run'],
    ...publishing,
    match: ['npm publish', 'pnpm -C a publish --access public'],
    notMatch: ['npm run publish', 'npm publish --dry-run'],
  },
  {
    rule: 'contained/publish',
    programs: ['cargo', 'poetry', 'uv', 'twine', 'gem', 'lerna', 'changeset', 'mvn'],
    subcommands: ['publish', 'upload', 'push', 'yank', 'deploy', 'login'],
    unless: [...asked, '--dry-run'],
    ...publishing,
    match: ['cargo publish', 'twine upload dist/a.whl'],
    notMatch: ['cargo build', 'cargo publish --dry-run'],
  },
  {
    rule: 'contained/registry',
    ...node,
    subcommands: ['view', 'info', 'show', 'search', 'outdated', 'ping', 'audit'],
    unless: asked,
    reason: 'there is no network in the sandbox to ask a registry',
    instead: 'look into package.json, the lockfile or node_modules',
    match: ['npm view zod version', 'npm outdated'],
    notMatch: ['npm run show', 'npm ls zod'],
  },
];
