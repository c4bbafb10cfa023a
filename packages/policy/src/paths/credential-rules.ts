import type { PathRule } from './path-rule.ts';

const reason = 'files of this name hold credentials, which are neither read nor changed';
const instead =
  'Work without it: read the setting’s name from the code, and say in your answer what a person has to fill in.';

/** Source code and documentation about credentials, which hold none. */
const sources =
  /\.(c|cc|cpp|cs|css|dart|ex|exs|go|h|hpp|html|java|js|jsx|cjs|mjs|kt|less|lua|md|mdx|php|pl|proto|py|pyi|rb|rs|rst|scala|scss|snap|sql|svelte|swift|ts|tsx|cts|mts|vue)$/;

export const credentialRules: PathRule[] = [
  {
    rule: 'environment-file',
    forbids: 'all',
    reason,
    instead: 'Add the variable’s name to .env.example, and say in your answer which value a person must set.',
    names: '.envrc .dev.vars',
    like: /^(\.env([._~-].*)?|.*\.env)$/,
    unlike:
      /(^|[._-])(example|sample|template|tmpl|tpl|dist|defaults|schema|d\.ts)([._-]env)?$|\.(js|ts|mjs|md)$/,
    matches: [
      '.env',
      '.env.production',
      'apps/web/.env.local',
      'prod.env',
      '.ENV',
      '.env.',
      '.envrc',
      '.env~',
      '.env.bak',
    ],
    leaves: [
      '.env.example',
      '.env.sample',
      '.env.local.example',
      'example.env',
      'src/env.ts',
      'env.d.ts',
      '.environment',
      'src/environment/prod.ts',
      'dotenv.md',
    ],
  },
  {
    rule: 'private-key',
    forbids: 'all',
    reason,
    instead,
    names: 'secring.gpg deploy_key ssh_host_rsa_key ssh_host_ecdsa_key ssh_host_ed25519_key',
    like: /^(.*\.(pem|key|p12|pfx|jks|keystore|ppk|kdbx|p8|pkcs12)|id_(rsa|dsa|ecdsa|ed25519|xmss)([._-].*)?|.*[._-](rsa|ed25519|ecdsa))$/,
    unlike: new RegExp(`\\.pub$|${sources.source}`),
    matches: [
      'certs/server.pem',
      'config/master.key',
      'id_rsa',
      'keys/id_ed25519',
      'id_ecdsa_sk',
      'deploy_rsa',
      'release.keystore',
      'a.PEM',
    ],
    leaves: [
      'test/fixtures/fake.pem.txt',
      'id_rsa.pub',
      'test/id_rsa.test.ts',
      'src/id_generator.ts',
      'id_map.py',
      'src/key.ts',
      'docs/pem.md',
      'src/monkey',
      'keys.json',
      'src/rsa.ts',
    ],
  },
  {
    rule: 'credentials',
    forbids: 'all',
    reason,
    instead,
    names: '.git-credentials .htpasswd .pgpass .my.cnf .vault-token .vault_pass .boto .s3cfg .dockercfg',
    like: /^(credentials\..+|\.credentials(\..+)?|.*[._-]credentials\.(json|ya?ml|toml|ini|csv)|service[-_]?account.*\.json|client_secret.*\.json|.*\.tfstate(\.backup)?|wallet\.dat)$/,
    unlike: sources,
    matches: [
      'config/credentials.json',
      'credentials.yml.enc',
      'Credentials.csv',
      'service-account.json',
      'service-account-prod.json',
      'serviceAccountKey.json',
      'application_default_credentials.json',
      '.git-credentials',
      'terraform.tfstate',
    ],
    leaves: [
      'docs/secrets-management.md',
      'src/credentials.ts',
      'docs/credentials.md',
      'src/service-account.ts',
      'src/credentials/index.ts',
      'secrets.test.ts',
      'service-accounts.md',
    ],
  },
  {
    rule: 'tool-credentials',
    forbids: 'all',
    reason: 'a tool keeps its credentials there, and some tools run programs that the file names',
    instead,
    names: `
      .npmrc .pypirc .netrc _netrc .aws .ssh .gnupg .kube kubeconfig .azure .gcloud .terraformrc
      .yarnrc.token
    `,
    like: /^.+\.kubeconfig$|^kubeconfig\.(ya?ml|json|conf)$/,
    paths: `
      .config/gcloud .config/gh .config/hub .docker/config.json .cargo/credentials
      .cargo/credentials.toml .gem/credentials .composer/auth.json .m2/settings.xml
      .gradle/gradle.properties gcloud/credentials.db gcloud/legacy_credentials
    `,
    matches: [
      '.npmrc',
      'packages/a/.npmrc',
      '.aws/credentials',
      'home/.ssh/known_hosts',
      '.kube/config',
      '.config/gcloud/configurations/config_default',
      '.docker/config.json',
      '.NPMRC',
      'kubeconfig',
      'prod.kubeconfig',
    ],
    leaves: [
      'npmrc.md',
      'src/aws/client.ts',
      'src/ssh/config.ts',
      'docker/config.json',
      'src/kube/config.ts',
      'docs/gcloud.md',
      '.config/jest.json',
      'src/kubeconfig.ts',
    ],
  },
];
