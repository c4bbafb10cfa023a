/**
 * Tokens of code hosts, package registries and CI. Each has its issuer's prefix. Listed here where the maintained
 * rule set has no rule, or one that is too narrow.
 */
import { looksRandom } from '../randomness.ts';
import type { SecretRule } from './secret-rule.ts';

const gitlabKinds = ['pat', 'dt', 'rt', 'ptt', 'ft', 'soat', 'agent', 'oas', 'cbt', 'imt', 'ffct', 'wt'];

export const codeTokens: SecretRule[] = [
  {
    id: 'fettle-token',
    severity: 'high',
    reason: 'an access token of a Fettle installation',
    patterns: [/(?<![\w-])fettle_[\w-]{32}(?![\w-])/g],
    accepts: (token) => looksRandom(token.slice('fettle_'.length)),
    matches: ['Bearer fettle_{an32}'],
    leaves: ['fettle_operations_waiting_for_approval', 'fettle_token'],
  },
  {
    id: 'docker-token',
    severity: 'high',
    reason: 'an access token of Docker Hub',
    patterns: [/dckr_[a-z]{3}_[\w-]{20,60}/g],
    matches: ['docker login -p dckr_pat_{b64u27}', 'dckr_oat_{b64u32}'],
    leaves: ['dckr_pat_xxx'],
  },
  {
    id: 'atlassian-token',
    severity: 'high',
    reason: 'a token or app password of Bitbucket, Jira or Confluence',
    patterns: [/(?<![A-Za-z0-9])ATBB[A-Za-z0-9]{24,40}/g, /(?<![A-Za-z0-9])AT[AC]TT3x[\w=-]{60,300}/g],
    matches: ['BITBUCKET=ATBB{an32}', 'k: ATATT3xFf{b64u180}=A1', 'ATCTT3xFf{b64u170}'],
    leaves: ['ATBB', 'FLATBB{an32}'],
  },
  {
    id: 'github-token',
    severity: 'high',
    reason: 'a GitHub token, also directly after a letter',
    patterns: [
      ...['ghp', 'gho', 'ghu', 'ghs', 'ghr'].map((mark) => new RegExp(`${mark}_[A-Za-z0-9]{36,251}`, 'g')),
      /github_pat_\w{60,100}/g,
    ],
    matches: ['xghp_{an36}', 'https://u:gho_{an36}@github.com', 'github_pat_{an22}_{an59}'],
    leaves: ['/gh[pousr]_[A-Za-z0-9]{36}/', 'ghp_…'],
  },
  {
    id: 'gitlab-token',
    severity: 'high',
    reason: 'a token of GitLab, of any of its kinds',
    patterns: [...gitlabKinds.map((kind) => new RegExp(`(?<![\\w-])gl${kind}-[\\w-]{20,120}`, 'g'))],
    matches: ['token: glpat-{b64u20}', 'glrt-{b64u20}', 'gldt-{b64u20}'],
    leaves: ['glpat-<token>'],
  },
  {
    id: 'package-registry-token',
    severity: 'high',
    reason: 'a token that may publish to npm, PyPI, RubyGems, crates.io or NuGet',
    patterns: [
      /(?<![\w-])npm_[A-Za-z0-9]{36}(?![\w-])/g,
      /pypi-AgE[\w-]{50,300}/g,
      /rubygems_[0-9a-f]{48}/g,
      /(?<![\w-])cio[A-Za-z0-9]{32}(?![\w-])/g,
      /(?<![\w-])oy2[a-z0-9]{43}(?![\w-])/g,
      /CLOJARS_[a-z0-9]{60}/g,
      /(?<![\w-])AKCp[A-Za-z0-9]{60,80}(?![\w-])/g,
    ],
    matches: [
      'CLOJARS_{lc60}',
      'api=AKCp{an69}',
      'npm_{an36}',
      'pypi-AgE{b64u86}',
      'rubygems_{hx48}',
      'cio{an32}',
      'oy2{lc43}',
    ],
    leaves: ['npm_config_registry', 'rubygems_version'],
  },
  {
    id: 'npmrc-credential',
    severity: 'high',
    reason: 'a credential in an .npmrc',
    patterns: [
      /:_authToken\s{0,4}=\s{0,4}"?(?<secret>[^\s"'${}<>]{8,400})/g,
      /:_auth\s{0,4}=\s{0,4}"?(?<secret>[^\s"'${}<>]{8,400})/g,
      /:_password\s{0,4}=\s{0,4}"?(?<secret>[^\s"'${}<>]{8,400})/g,
    ],
    matches: ['//registry.example.org/:_authToken={uuid}', '//r.example.org/:_password={b6424}'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: npm replaces it itself.
    leaves: ['//registry.example.org/:_authToken=${NPM_TOKEN}'],
  },
  {
    id: 'hosting-token',
    severity: 'high',
    reason:
      'a token of DigitalOcean, Heroku, Fly, Netlify, Render, Railway, Supabase, PlanetScale, Doppler or Pulumi',
    patterns: [
      /do[oprt]_v1_[0-9a-f]{64}/g,
      /HRKU-[\w-]{36,70}/g,
      /FlyV1 fm[12]_[\w+/=,-]{60,600}/g,
      /(?<![\w-])nfp_[A-Za-z0-9]{36}(?![\w-])/g,
      /(?<![\w-])rnd_[A-Za-z0-9]{28,40}(?![\w-])/g,
      /(?<![\w-])sbp_[0-9a-f]{40}(?![\w-])/g,
      /pscale_(?:tkn|pw|oauth)_[\w.-]{32,64}/g,
      /(?<![\w.-])dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,60}/g,
      /(?<![\w-])pul-[0-9a-f]{40}(?![\w-])/g,
      /(?<![\w-])fo1_[\w-]{40,50}(?![\w-])/g,
      /(?<![\w-])bkua_[0-9a-f]{40}(?![\w-])/g,
      /CCIPAT_[A-Za-z0-9]{22}_[0-9a-f]{40}/g,
    ],
    matches: [
      'bkua_{hx40}',
      'CCIPAT_{an22}_{hx40}',
      'token = "dop_v1_{hx64}"',
      'HRKU-{uuid}',
      'nfp_{an36}',
      'sbp_{hx40}',
      'pscale_tkn_{b64u43}',
      'dp.pt.{an43}',
      'pul-{hx40}',
    ],
    leaves: ['dop_v1_', 'sbp_project'],
  },
  {
    id: 'infrastructure-token',
    severity: 'high',
    reason: 'a token of Vault, Terraform, Tailscale, Databricks, 1Password, age or Cloudflare',
    patterns: [
      /(?<![\w-])hvs\.[\w-]{24,300}/g,
      /(?<![\w-])hvb\.[\w-]{24,300}/g,
      /(?<![\w-])hvr\.[\w-]{24,300}/g,
      /(?<=[A-Za-z0-9]{14}\.)atlasv1\.[\w=-]{60,70}/g,
      /tskey-[a-z]{2,20}-[\w-]{16,100}/g,
      /(?<![\w-])dapi[0-9a-f]{32}(?![\w-])/g,
      /(?<![\w-])ops_eyJ[\w+/=]{100,1200}/g,
      /AGE-SECRET-KEY-1[A-Z0-9]{58}/g,
      /(?<![\w.-])v1\.0-[0-9a-f]{24}-[0-9a-f]{146}(?![\w-])/g,
    ],
    matches: [
      'hvs.{b64u24}',
      '{an14}.atlasv1.{an67}',
      'tskey-auth-{an12}-{an32}',
      'dapi{hx32}',
      'AGE-SECRET-KEY-1{uc58}',
    ],
    leaves: ['hvs.read()', 'age1{lc58}'],
  },
];
