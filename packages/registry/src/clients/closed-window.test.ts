/** Package managers outside of an install window: they fail at once, with the reason and what to use instead. */
import { startSandbox } from '@fettle/sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { offerRegistries } from '../install-window.ts';
import { openRegistry } from '../open-registry.ts';
import { readRegistries } from '../settings.ts';
import { openFolder } from '../testing/open-folder.ts';
import { startTestRegistry } from '../testing/test-registry.ts';

const manifest = `echo '{"name":"x","version":"1.0.0","dependencies":{"left-pad":"1.0.0"}}' >package.json`;

test.each(['npm install', 'npx --yes left-pad'])('%s', async (command) => {
  const server = await startTestRegistry();
  server.publish({ name: 'left-pad', version: '1.0.0', bin: { 'left-pad': 'x' }, files: { x: '' } });
  const sandbox = await startSandbox({ backend: 'process', folder: openFolder() });
  onTestFinished(async () => {
    await sandbox.close();
    await server.close();
  });
  const allowed = readRegistries({ registries: `npm=${server.url}`, tokens: undefined });
  const rest = { folder: openFolder(), maxBytes: 1e9, proxy: {}, npmEnvironment: {} };
  await offerRegistries(sandbox, openRegistry({ allowed, ...rest }));
  const result = await sandbox.run({ command: `${manifest}; ${command}`, timeoutMs: 60_000 });
  expect(result.exitCode).not.toBe(0);
  expect(result.timedOut).toBe(false);
  expect(result.output).toContain('Call install_dependencies instead');
  expect(server.requests()).toEqual([]);
});
