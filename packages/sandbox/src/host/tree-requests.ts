import { SandboxError } from '../protocol/sandbox-error.ts';
import {
  adoptChangesResultSchema,
  changesResultSchema,
  receiveTreeResultSchema,
} from '../protocol/schemas.ts';
import type { Connection } from './connection.ts';
import { defaultLimits } from './limits.ts';
import { createChangeReceiver } from './receive-changes.ts';
import type { Sandbox } from './sandbox.ts';

/** They go in one frame; and each rule is held against each path. */
const maxIgnoreBytes = 512 * 1024;

export function createTreeRequests({
  request,
}: Connection): Pick<Sandbox, 'receiveTree' | 'changes' | 'adoptChanges'> {
  // Told to the toolbox with the next request; until then it can hand the same changes out again.
  let received = 0;
  return {
    async receiveTree({
      pack,
      commit,
      branch,
      baseIgnores,
      timeoutMs = defaultLimits.treeTimeoutMs,
      signal,
    }) {
      const ignoreBytes = Buffer.byteLength(JSON.stringify(baseIgnores));
      if (ignoreBytes > maxIgnoreBytes)
        throw new SandboxError('tree_refused', `its .gitignore files are too long (${ignoreBytes} bytes)`);
      return request('receiveTree', {
        params: { commit, branch, baseIgnores, indexBytes: pack.indexBytes },
        result: receiveTreeResultSchema,
        input: pack.chunks,
        timeoutMs,
        signal,
      });
    },
    async changes({ paths, maxFiles, maxBytes, timeoutMs, signal } = {}) {
      const limits = {
        maxFiles: maxFiles ?? defaultLimits.changedFiles,
        maxBytes: maxBytes ?? defaultLimits.changedBytes,
      };
      const receiver = createChangeReceiver(limits);
      const { handout, refused, refusedCount } = await request('changes', {
        params: { ...limits, received, ...(paths === undefined ? {} : { paths }) },
        result: changesResultSchema,
        onBytes: receiver.push,
        onBytesEnd: receiver.finish,
        timeoutMs: timeoutMs ?? defaultLimits.changesTimeoutMs,
        signal,
      });
      received = handout;
      return { changes: receiver.changes, refused, refusedCount };
    },
    async adoptChanges({ timeoutMs = defaultLimits.changesTimeoutMs, signal } = {}) {
      await request('adoptChanges', {
        params: { received },
        result: adoptChangesResultSchema,
        timeoutMs,
        signal,
      });
    },
  };
}
