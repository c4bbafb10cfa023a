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

/** They are sent in one frame, and each rule is checked for each path. */
const maxIgnoreBytes = 512 * 1024;

export function createTreeRequests({
  request,
}: Connection): Pick<Sandbox, 'receiveTree' | 'changes' | 'adoptChanges'> {
  // Confirmed with the next request. Until then the toolbox can send the same changes again.
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
        throw new SandboxError('tree_refused', `the .gitignore files are too large (${ignoreBytes} bytes)`);
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
