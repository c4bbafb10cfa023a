/**
 * Refuses pushes that GitHub refuses: to protected branches, and to workflows without the permission `workflows`.
 * Runs in sh. The server passes the rules in the environment of `git http-backend`.
 */
export const preReceiveHook = `#!/bin/sh
zero=0000000000000000000000000000000000000000
while read -r old new ref; do
  for branch in $FAKE_PROTECTED_BRANCHES; do
    if [ "$ref" = "refs/heads/$branch" ]; then
      echo "error: GH006: Protected branch update failed for $ref." >&2
      echo "error: Changes must be made through a pull request." >&2
      exit 1
    fi
  done
  [ "$new" = "$zero" ] && continue
  [ "$FAKE_WORKFLOWS" = allowed ] && continue
  changed=$(git rev-list "$new" --not --all | while read -r commit; do
    git diff-tree --no-commit-id --name-only -r --root "$commit" -- .github/workflows
  done | head -n 1)
  if [ -n "$changed" ]; then
    echo "refusing to allow a GitHub App to create or update workflow \\\`$changed\\\` without \\\`workflows\\\` permission" >&2
    exit 1
  fi
done
exit 0
`;
