/** Files that guard the repository: CI, hooks, owners. */
import type { PathRule } from './path-rule.ts';

const instead = 'Leave it as it is, and say in your answer what should be changed there and why.';
const guard = { forbids: 'guard', instead } as const;

export const guardRules: PathRule[] = [
  {
    ...guard,
    rule: 'ci',
    reason: 'it defines what runs in CI, with access to the repository’s secrets',
    names: `
      .gitlab-ci.yml .travis.yml jenkinsfile bitbucket-pipelines.yml bitbucket-pipelines.yaml
      appveyor.yml .appveyor.yml .circleci .buildkite .teamcity .woodpecker .semaphore .cirrus.yml
      .cirrus.star cloudbuild.yaml cloudbuild.yml buildspec.yml codefresh.yml
    `,
    like: /^(azure-pipelines.*\.ya?ml|\.(drone|woodpecker|gitlab-ci.*)\.ya?ml|jenkinsfile\..+)$/,
    paths: `
      /.github/workflows /.github/actions /.github/scripts /.gitea/workflows /.forgejo/workflows
      /.gitlab/ci /.ci
    `,
    matches: [
      '.github/workflows/ci.yml',
      '.GitHub/Workflows/ci.yml',
      '.gitlab-ci.yml',
      '.circleci/config.yml',
      'Jenkinsfile',
      'azure-pipelines.yml',
    ],
    leaves: [
      '.github/ISSUE_TEMPLATE/bug.md',
      '.github/PULL_REQUEST_TEMPLATE.md',
      'docs/workflows/ci.md',
      'templates/.github/workflows/ci.yml',
      'src/ci.ts',
      'ci/readme.md',
    ],
  },
  {
    ...guard,
    rule: 'review',
    reason: 'it defines who must review, and what can be merged without review',
    names: `
      .mergify.yml renovate.json renovate.json5 .renovaterc .renovaterc.json .kodiak.toml
      .bulldozer.yml .policy.yml
    `,
    paths: `
      /codeowners /docs/codeowners /.github/codeowners /.gitlab/codeowners /.github/dependabot.yml
      /.github/dependabot.yaml /.github/renovate.json /.github/settings.yml /.github/mergify.yml
      /.github/rulesets /.github/policies
    `,
    matches: [
      '.github/CODEOWNERS',
      'CODEOWNERS',
      'docs/CODEOWNERS',
      '.github/dependabot.yml',
      '.mergify.yml',
    ],
    leaves: ['src/codeowners.ts', 'test/fixtures/CODEOWNERS', '.github/FUNDING.yml', 'docs/dependabot.md'],
  },
  {
    ...guard,
    rule: 'scanner-settings',
    reason: 'it configures what secret and vulnerability scanners check and skip',
    names: `
      .gitleaks.toml gitleaks.toml .gitleaksignore .secretlintignore .semgrepignore .snyk
      .trivyignore .trivyignore.yaml trivy.yaml .trufflehogignore .talismanrc .gitallowed
      .secrets.baseline sonar-project.properties .sonarcloud.properties osv-scanner.toml .grype.yaml
      .nsprc .bandit .tfsec .checkov.yaml .checkov.yml .ggshield .gitguardian.yml .gitguardian.yaml
      codeql-config.yml .zap .dependency-cruiser-known-violations.json
    `,
    like: /^(\.secretlintrc(\..+)?|\.semgrep(\..+)?|\.trufflehog.*|audit-ci\.jsonc?|\.detect-secrets.*)$/,
    paths: '/.github/codeql /.github/secret_scanning.yml',
    matches: [
      '.gitleaksignore',
      '.gitleaks.toml',
      '.secretlintrc.json',
      '.semgrep.yml',
      '.snyk',
      '.trivyignore',
      '.github/codeql/config.yml',
      '.github/secret_scanning.yml',
      '.gitleaksignore.',
    ],
    leaves: ['src/semgrep.ts', '.eslintrc.json', 'biome.json', 'docs/gitleaks.md', 'src/scanner/settings.ts'],
  },
  {
    ...guard,
    rule: 'git-settings',
    reason: 'git takes settings from it: it can hide a change from reviewers, or bring in other repositories',
    names: '.gitattributes .gitmodules .gitconfig .lfsconfig',
    matches: [
      '.gitattributes',
      'src/.gitattributes',
      '.gitmodules',
      '.gitmodules/x',
      '.lfsconfig',
      '.gitAttributes ',
    ],
    leaves: ['.gitignore', '.gitkeep', 'docs/gitattributes.md', 'src/gitmodules.ts'],
  },
];
