import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';

const source = join(import.meta.dirname, '..');

it('the toolbox imports only what the image contains', () => {
  const files = ['toolbox', 'protocol', 'proc']
    .flatMap((part) =>
      readdirSync(join(source, part), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(source, part, name),
      ),
    )
    .filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !/\/protocol\/schemas\.ts$/.test(name),
    );
  const foreign = files.flatMap((file) =>
    listRuntimeImports(readFileSync(file, 'utf8'))
      .map((specifier) =>
        specifier.startsWith('.') ? relative(source, join(dirname(file), specifier)) : specifier,
      )
      .filter(
        (target) => !/^(node:|ignore$|@fettle\/globs$|toolbox\/|proc\/|protocol\/(?!schemas))/.test(target),
      )
      .map((target) => `${relative(source, file)} imports ${target}`),
  );
  expect(foreign).toEqual([]);
});

/** Without type imports, which are erased. */
function listRuntimeImports(text: string): string[] {
  const found = text.matchAll(/^import (?!type )[^;]*?'([^']+)';|import\('([^']+)'\)/gm);
  return [...found].map(([, fixed, dynamic]) => fixed ?? dynamic ?? '');
}
