/** Files that run on people's machines without being asked, and files that agents take instructions from. */
import type { PathRule } from './path-rule.ts';

const instead = 'Leave it as it is, and say in your answer what should be changed there and why.';
const guard = { forbids: 'guard', instead } as const;

export const machineRules: PathRule[] = [
  {
    ...guard,
    rule: 'hooks',
    reason: 'it runs on users’ machines when they commit, check out or push',
    names: `
      .husky .githooks .git-hooks githooks .pre-commit-config.yaml .pre-commit-config.yml
      .pre-commit-hooks.yaml .overcommit.yml .simple-git-hooks.json .simple-git-hooks.js
      .lintstagedrc .huskyrc .huskyrc.json .huskyrc.js
    `,
    like: /^(\.?lefthook(-local)?\.(ya?ml|toml|json)|\.lintstagedrc\..+|lint-staged\.config\..+)$/,
    paths: `
      hooks/pre-commit hooks/pre-push hooks/commit-msg hooks/prepare-commit-msg hooks/post-checkout
      hooks/post-commit hooks/post-merge hooks/post-rewrite hooks/pre-rebase hooks/post-receive
      hooks/pre-receive hooks/update
    `,
    matches: [
      '.husky/pre-push',
      '.pre-commit-config.yaml',
      'lefthook.yml',
      '.githooks/pre-commit',
      'tools/hooks/post-checkout',
      '.lintstagedrc.json',
    ],
    leaves: [
      'src/hooks/useForm.ts',
      'hooks/README.md',
      'src/husky.ts',
      'docs/pre-commit.md',
      'src/hooks/update.ts',
    ],
  },
  {
    ...guard,
    rule: 'editor-settings',
    reason: 'editors, shells and dev containers run commands from it when a user opens the folder',
    names: `
      .vscode .vscode-test.js .idea .run .zed .fleet .devcontainer .devcontainer.json .gitpod.yml
      .gitpod.dockerfile .replit .vimrc .exrc .nvimrc .nvim.lua .dir-locals.el .emacs .gdbinit
      .lldbinit .bashrc .bash_profile .zshrc .zshenv .profile .mise.toml mise.toml .autoenv .inputrc
      .tmux.conf .sublime-project
    `,
    like: /^.+\.(code-workspace|sublime-project)$/,
    matches: [
      '.vscode/tasks.json',
      '.vscode/settings.json',
      '.devcontainer/devcontainer.json',
      '.idea/workspace.xml',
      'packages/a/.vscode/launch.json',
      'app.code-workspace',
      '.gitpod.yml',
    ],
    leaves: [
      '.editorconfig',
      'src/vscode/extension.ts',
      'docs/devcontainer.md',
      '.nvmrc',
      '.tool-versions',
      'src/profile.ts',
    ],
  },
  {
    ...guard,
    rule: 'agent-instructions',
    reason:
      'agents take their orders from it, this one too: an operation does not change the rules that it works under',
    names: `
      agents.md agents.override.md claude.md claude.local.md gemini.md .claude .cursor .cursorrules
      .cursorignore .windsurf .windsurfrules .clinerules .codex .gemini .opencode opencode.json
      opencode.jsonc .roo .roorules .roomodes .continue .continuerules .kiro .amazonq .junie .agents
      .agent .goosehints .mcp.json mcp.json .mcp .augment .trae .qodo .rules
    `,
    like: /^\.aider.*$/,
    paths: `
      /.fettle /.github/copilot-instructions.md /.github/instructions /.github/prompts
      /.github/agents /.github/chatmodes /.github/skills /.github/copilot
    `,
    matches: [
      'AGENTS.md',
      'CLAUDE.md',
      'packages/a/AGENTS.md',
      '.fettle/config.yml',
      '.Fettle/config.yml',
      '.claude/settings.json',
      '.cursorrules',
      '.github/copilot-instructions.md',
      '.mcp.json',
    ],
    leaves: [
      'docs/agents/index.md',
      'docs/.fettle/x.md',
      'fettle/config.yml',
      'src/claude.ts',
      'src/agents.ts',
      'docs/claude-code.md',
      'cursor.md',
    ],
  },
  {
    ...guard,
    rule: 'package-manager-settings',
    reason: 'package managers read registries and programs from it, and run those programs at install time',
    names: `
      .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs pnpmfile.js .pnp.cjs .pnp.loader.mjs
      bunfig.toml pip.conf pip.ini .condarc .gemrc binding.gyp .mvn sitecustomize.py
      usercustomize.py nuget.config
    `,
    paths: `
      .yarn/releases .yarn/plugins .yarn/sdks .bundle/config .cargo/config .cargo/config.toml
      gradle/wrapper
    `,
    matches: [
      '.yarnrc.yml',
      '.pnpmfile.cjs',
      'binding.gyp',
      '.yarn/releases/yarn-4.cjs',
      '.cargo/config.toml',
      'gradle/wrapper/gradle-wrapper.jar',
      'NuGet.Config',
    ],
    leaves: [
      'package.json',
      'pnpm-workspace.yaml',
      'yarn.lock',
      'docs/yarnrc.md',
      'cargo.toml',
      'src/binding.ts',
      'build.gradle',
    ],
  },
  {
    ...guard,
    rule: 'installed-packages',
    reason:
      'installed packages are not part of a change: package managers put them there, and people’s tools run them',
    instead: 'Change package.json, and run install_dependencies.',
    names: 'node_modules bower_components .pnpm-store',
    matches: ['node_modules/eslint/index.js', 'packages/a/node_modules/b/c.js', 'Node_Modules/x'],
    leaves: ['src/node_modules.ts', 'vendor/lib.js', 'docs/node-modules.md', 'test/modules/a.js'],
  },
];
