/** Judges one changed file by its path and its content, no matter which command or tool wrote it. */
import { posix } from 'node:path';
import {
  type ContentFile,
  type ContentObjection,
  needsBefore,
  type Objection,
  type PathJudge,
} from '@fettle/policy';
import type { Change } from '@fettle/sandbox';
import type { SecretJudge } from './judge-secrets.ts';

export type JudgedChange = Pick<Change, 'path' | 'kind' | 'bytes'>;

export type ContentJudge = (file: ContentFile) => ContentObjection[] | Promise<ContentObjection[]>;

export type ChangeJudge = (change: JudgedChange) => Promise<(Objection | ContentObjection)[]>;

export interface ChangeJudgeParts {
  judgePath: PathJudge;
  judgeContent: ContentJudge;
  judgeSecrets: SecretJudge;
  /** The file as it is in the base commit. */
  readBase(path: string): Promise<Buffer | undefined>;
}

export function createChangeJudge({
  judgePath,
  judgeContent,
  judgeSecrets,
  readBase,
}: ChangeJudgeParts): ChangeJudge {
  /** Reads the old content only if the verdict can depend on it, because that starts a git process. */
  async function judgeBytes({ path, bytes }: JudgedChange): Promise<ContentObjection[]> {
    const file = { path, after: bytes };
    const asNew = await judgeContent(file);
    if (asNew.length === 0 && !needsBefore(path)) return [];
    const before = await readBase(path);
    return before === undefined ? asNew : judgeContent({ ...file, before });
  }

  return async (change) => {
    const { path, kind, bytes } = change;
    const byPath = judgePath(path, kind === 'deleted' ? 'delete' : 'write');
    const objections: (Objection | ContentObjection)[] = byPath.decision === 'allow' ? [] : [byPath];
    if (byPath.decision === 'deny' || kind === 'deleted') return objections;
    objections.push(...(await judgeSecrets(change)));
    if (kind === 'file') return [...objections, ...(await judgeBytes(change))];
    // Reading a link reads its target.
    const written = bytes.toString('utf8');
    const target = posix.isAbsolute(written) ? written : posix.join(posix.dirname(path), written);
    const byTarget = judgePath(target, 'read');
    if (byTarget.decision === 'allow') return objections;
    return [...objections, { ...byTarget, reason: `it is a symbolic link to ${target}: ${byTarget.reason}` }];
  };
}

export function describeObjection(objection: Objection | ContentObjection): string {
  const { reason, rule, instead } = objection;
  const line = 'line' in objection ? `line ${objection.line}` : undefined;
  const token = 'token' in objection ? objection.token : undefined;
  const where = [line, token].filter((part) => part !== undefined).join(', ');
  return `${reason}${where && `: ${where}`} (rule ${rule}).${instead === undefined ? '' : ` ${instead}`}`;
}
