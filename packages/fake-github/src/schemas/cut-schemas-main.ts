/**
 * Cuts the schemas that the tests need out of GitHub's OpenAPI document and writes published/github-schemas.json.
 * The package @octokit/openapi is too large for a dependency, so fetch its document by hand:
 *
 *   npm pack @octokit/openapi@23.0.2 && tar xzf octokit-openapi-23.0.2.tgz package/generated/api.github.com.json
 *   node packages/fake-github/src/schemas/cut-schemas-main.ts package/generated/api.github.com.json 23.0.2
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cutSchemas } from './cut-schemas.ts';

const [file, version] = process.argv.slice(2);
if (file === undefined || version === undefined) {
  process.stderr.write('usage: cut-schemas-main.ts <api.github.com.json> <version of @octokit/openapi>\n');
  process.exitCode = 2;
} else {
  const about = `Cut by cut-schemas-main.ts out of api.github.com.json of @octokit/openapi ${version} (MIT). Do not edit.`;
  const text = JSON.stringify({ about, ...cutSchemas(JSON.parse(readFileSync(file, 'utf8'))) });
  const folder = join(import.meta.dirname, 'published');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'github-schemas.json'), `${text}\n`);
  process.stdout.write(`${text.length} bytes\n`);
}
