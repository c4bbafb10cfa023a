/** What would be proposed, as a commit and its texts, without anything secret in them: made before anybody is told. */
import type { Outcome } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { branchName, commitProposal, composeMessage, diffCommits } from '@fettle/git';
import type { Finding, Secret } from '@fettle/secrets';
import type { Work } from '../attempt/attempt.ts';
import type { Workspace } from '../prepare/workspace.ts';
import { describeObjection } from '../save/judge-change.ts';
import { describeForOperator, listSecretRemarks, toTell } from '../secrets/describe-secrets.ts';
import { scanPush } from '../secrets/scan-push.ts';
import type { Change } from '../verify/verify.ts';
import { describeProposal, type ProposalText } from './describe-proposal.ts';
import { identity } from './identity.ts';
import { listRemarks, type Remark } from './remarks.ts';

export interface Draft {
  kind: 'draft';
  headCommit: string;
  branch: string;
  title: string;
  body: string;
}

export type Drafted =
  | Draft
  /** Nothing is left of what was changed. */
  | { kind: 'nothing' }
  /** Files of the change have secrets in them, which the agent can mend. */
  | { kind: 'secrets'; findings: Finding[]; outcome: Outcome }
  | { kind: 'ended'; outcome: Outcome };

/** Words that only the second scanner takes for secrets are taken out when it has named them. */
const tries = 2;

export async function draftProposal(work: Work, workspace: Workspace, change: Change): Promise<Drafted> {
  const { mirror, baseCommit, sortSecrets: sort } = workspace;
  const { redaction, secondOpinion, signal } = work;
  const { files } = await diffCommits({ mirror, from: baseCommit, to: workspace.head(), maxBytes: 0 });
  if (files.length === 0) return { kind: 'nothing' };
  const { remarks, refused } = await listRemarks(workspace, files);
  // None of it came through the guards of this worker: it was kept by one with other rules.
  const [first] = refused;
  if (first) return failed('change_refused', `${first.path}: ${describeObjection(first.objection)}`);
  const pieces: string[] = [];
  let left: Secret[] = [];
  for (let tried = 0; tried < tries; tried += 1) {
    const redact = (text: string) =>
      pieces.reduce((redacted, piece) => redacted.replaceAll(piece, '[redacted]'), redaction.text(text));
    const describe = (more: Remark[] = []) => describeInWords(work, change, [...remarks, ...more], redact);
    const words = describe();
    const head = await commit(work, workspace, { words, redact });
    crashPoint('committed');
    const branch = chooseBranch(work, redact);
    const found = await scanPush({
      ...{ mirror, base: baseCommit, head, own: redaction.places, secondOpinion, signal, sort },
      texts: { branch, title: words.title, body: words.body },
    });
    if (found.files.fresh.length > 0) return withSecrets(found.files.fresh);
    left = found.texts;
    if (left.length === 0) {
      const { title, body } = describe(listSecretRemarks(found.files));
      return { kind: 'draft', headCommit: head, branch, title, body };
    }
    pieces.push(...left.map(({ piece }) => piece.trim()).filter((piece) => piece !== ''));
  }
  return failed('secrets_found', describeForOperator(toTell(left)));
}

function withSecrets(secrets: Secret[]): Drafted {
  const findings = toTell(secrets);
  const message = describeForOperator(findings);
  return { kind: 'secrets', findings, outcome: { kind: 'failure', reason: 'secrets_found', message } };
}

function failed(reason: 'change_refused' | 'secrets_found', message: string): Drafted {
  return { kind: 'ended', outcome: { kind: 'failure', reason, message } };
}

type Redact = (text: string) => string;

function describeInWords(work: Work, change: Change, remarks: Remark[], redact: Redact): ProposalText {
  const { title, summary, body } = describeProposal(work.claim.operation, {
    ...change,
    remarks: [...remarks, ...work.commandRemarks()],
  });
  return { title: redact(title), summary: redact(summary), body: redact(body) };
}

async function commit(
  work: Work,
  { mirror, baseCommit, head }: Workspace,
  { words, redact }: { words: ProposalText; redact: Redact },
): Promise<string> {
  const { operation, requester } = work.claim;
  const name = redact(requester.name);
  return commitProposal({
    mirror,
    tree: head(),
    base: baseCommit,
    message: composeMessage({
      subject: words.title,
      body: words.summary,
      trailers: [
        ['Requested-By', name],
        ['Fettle-Operation', operation.id],
        ['Co-Authored-By', `${name} <${redact(requester.email)}>`],
      ],
    }),
    author: identity,
    committer: identity,
    dateSeconds: Math.floor(Date.parse(operation.createdAt) / 1000),
  });
}

/** A secret is taken out before the name is made, in which it would be hard to know again. */
function chooseBranch({ claim }: Work, redact: Redact): string {
  const { id, request } = claim.operation;
  const description = redact(request.description);
  const ticket = request.ticket === undefined ? findTicket(description) : redact(request.ticket);
  const title = description.replace(ticket ?? '', '');
  return branchName({ id, title, ...(ticket !== undefined && { ticket }) });
}

/** At the start or in brackets, as people write one: elsewhere it may be anything with a number, such as UTF-8. */
function findTicket(description: string): string | undefined {
  const [, atStart, bracketed] =
    /^\W*([A-Z][A-Z0-9]+-\d+)\b|[([]([A-Z][A-Z0-9]+-\d+)[)\]]/.exec(description) ?? [];
  const found = atStart ?? bracketed;
  return found && !/^(UTF|SHA|ISO|RFC|MD|AES|RSA|TLS|HTTP|ES|CP|PEP|IPV|GPT)-/.test(found)
    ? found
    : undefined;
}
