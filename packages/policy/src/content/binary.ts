import type { ContentCheck } from './content-rule.ts';

const texts =
  /^(bat|c|cc|cfg|cjs|cmd|conf|cpp|cs|css|csv|cts|dart|diff|ex|exs|go|gradle|graphql|h|hpp|html?|ini|ipynb|java|jsx?|json5?|jsonc|jsonl|kt|less|lock|lua|md|mdx|mjs|mts|patch|php|pl|proto|ps1|py|pyi|r|rb|rs|rst|scala|scss|sh|snap|sql|svelte|svg|swift|tex|tf|toml|tsx?|tsv|txt|vue|xml|ya?ml|zig)$/;

export const findBinary: ContentCheck = ({ before, extension, isBinary, wasBinary }) => {
  if (!isBinary || wasBinary) return [];
  const wasText = before !== undefined && before.length > 0;
  return [{ rule: wasText || texts.test(extension) ? 'binary-over-text' : 'new-binary' }];
};
