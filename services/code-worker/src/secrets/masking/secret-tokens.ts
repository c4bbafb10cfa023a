/**
 * Replaces tokens that the model wrote by their secrets, but only in a file that already contains the secret, in the
 * sandbox or in the base commit. So the agent can edit around a secret, but cannot be tricked into copying it elsewhere.
 */
import type { History, PutBack, SecretTokens } from '@fettle/agent';
import { GitError } from '@fettle/git';
import { type Sandbox, SandboxError } from '@fettle/sandbox';
import { findToken, findTokenFlaw, listTokens, maskSecrets, secretOf, unmask } from '@fettle/secrets';
import type { Masking } from './create-masking.ts';

export interface FileVersions {
  sandbox: Pick<Sandbox, 'readFile'>;
  history: Pick<History, 'baseFile'>;
}

const maxBytes = 1_000_000;

export function createSecretTokens({ vault, isOn }: Masking, versions: FileVersions): SecretTokens {
  const isLost = (token: string) => secretOf(vault, token) === undefined;

  /** The tokens whose secret is not in the text. Masking the text first lets a resumed attempt learn its secrets again. */
  function listStray(tokens: string[], text: string): string[] {
    if (tokens.some(isLost)) maskSecrets(text, vault);
    return tokens.filter((token) => {
      const secret = secretOf(vault, token);
      return secret === undefined || !text.includes(secret);
    });
  }

  return {
    findIn: (text) => (isOn ? findToken(text, vault) : listTokens(text, vault)[0]),
    async putBack(texts, path): Promise<PutBack> {
      const tokens = [...new Set(texts.flatMap((text) => listTokens(text, vault)))];
      if (!isOn && tokens.length === 0) return { ok: true, texts };
      for (const text of texts) {
        const reason = findTokenFlaw(text, vault);
        if (reason !== undefined) return { ok: false, reason };
      }
      let stray = tokens;
      for (const read of [readCurrent, readBase])
        if (stray.length > 0) stray = listStray(stray, await read(versions, path));
      const [first] = stray;
      if (first !== undefined && !isLost(first)) return { ok: false, reason: describeStray(first, path) };
      const unmasked = texts.map((text) => unmask(text, vault));
      const failed = unmasked.find((each) => !each.ok);
      if (failed) return failed;
      return { ok: true, texts: unmasked.flatMap((each) => (each.ok ? [each.text] : [])) };
    },
  };
}

function describeStray(token: string, path: string): string {
  return `the secret behind ${token} is not in ${path}, and secrets are not copied to other files. Leave it where it is and refer to it by its name there. To move a whole file, use mv.`;
}

async function readCurrent({ sandbox }: FileVersions, path: string): Promise<string> {
  try {
    return (await sandbox.readFile(path, { maxBytes })).bytes.toString('utf8');
  } catch (error) {
    if (error instanceof SandboxError && !error.endsSandbox) return '';
    throw error;
  }
}

async function readBase({ history }: FileVersions, path: string): Promise<string> {
  try {
    return (await history.baseFile(path))?.bytes.toString('utf8') ?? '';
  } catch (error) {
    if (error instanceof GitError && error.code === 'too_large') return '';
    throw error;
  }
}
