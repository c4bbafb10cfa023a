/** Drafts a proposal: its commit, branch, title and text, free of secrets. Nothing leaves the worker here. */
import type { Outcome } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { branchName, commitProposal, composeMessage, diffCommits } from '@fettle/git';
import type { Finding, Secret } from '@fettle/secrets';
import type { Attempt } from '../attempt/attempt.ts';
import { failed } from '../attempt/ends.ts';
import type { Revision } from '../attempt/read-revision.ts';
import type { Workspace } from '../prepare/workspace.ts';
import { describeObjection } from '../save/judge-change.ts';
import { describeForOperator, listSecretRemarks, toReport } from '../secrets/describe-secrets.ts';
import { scanPush } from '../secrets/scan-push.ts';
import type { Change } from '../verify/verify.ts';
import { markOf, withoutMark } from './describe-proof.ts';
import { describeProposal, type ProposalText } from './describe-proposal.ts';
import { identity } from './identity.ts';
import type { Remark } from './remark.ts';
import { type FileRemarks, listFileRemarks } from './remarks.ts';

export interface Draft {
  kind: 'draft';
  headCommit: string;
  branch: string;
  title: string;
  /** The title of the commit. */
  subject: string;
  body: string;
}

export type Drafted =
  | Draft
  /** The agent has undone all of its changes. */
  | { kind: 'nothing' }
  /** Changed files contain secrets, which the agent can remove. */
  | { kind: 'secrets'; findings: Finding[]; outcome: Outcome }
  | { kind: 'ended'; outcome: Outcome };

/** Text that only gitleaks takes for a secret is redacted once gitleaks has reported it. */
const maxScans = 2;

type DraftNeeds = Pick<Attempt, 'claim' | 'record' | 'secrets' | 'stop'>;

export async function draftProposal(
  attempt: DraftNeeds,
  workspace: Workspace,
  change: Change,
  revision: Revision | undefined,
): Promise<Drafted> {
  const { mirror, baseCommit, diffBase, parent, sortSecrets: sort } = workspace;
  const { redaction, gitleaks } = attempt.secrets;
  const { signal } = attempt.stop;
  const { files } = await diffCommits({ mirror, from: diffBase, to: workspace.head(), maxBytes: 0 });
  if (files.length === 0) return { kind: 'nothing' };
  const whole = await listFileRemarks(workspace, files);
  const { remarks } = whole;
  const refused = parent === baseCommit ? whole.refused : await listAdded(workspace);
  // The guards of this worker would not have saved such a change: a worker with other rules did.
  const [first] = refused;
  if (first) return end('change_refused', `${first.path}: ${describeObjection(first.objection)}`);
  const pieces: string[] = [];
  let left: Secret[] = [];
  for (let scan = 0; scan < maxScans; scan += 1) {
    const redact = (text: string) =>
      pieces.reduce((redacted, piece) => redacted.replaceAll(piece, '[redacted]'), redaction.text(text));
    const describe = (more: Remark[] = []) =>
      describeRedacted(attempt, change, { remarks: [...remarks, ...more], revision, redact });
    const text = describe();
    const madeAt = revision?.startedAt ?? attempt.claim.operation.createdAt;
    const head = await commit(attempt, workspace, { text, redact, madeAt });
    crashPoint('committed');
    const branch = revision?.proposed.branch ?? chooseBranch(attempt, redact);
    const found = await scanPush({
      ...{ mirror, base: parent, head, own: redaction.places, gitleaks, signal, sort },
      texts: { branch, title: text.title, body: text.body },
    });
    if (found.files.fresh.length > 0) return withSecrets(found.files.fresh);
    left = found.texts;
    if (left.length === 0) {
      const { title, subject, body } = describe(listSecretRemarks(found.files));
      const mark = markOf(change.proof);
      return { kind: 'draft', headCommit: head, branch, title: `${mark}${title}`, subject, body };
    }
    pieces.push(...left.map(({ piece }) => piece.trim()).filter((piece) => piece !== ''));
  }
  return end('secrets_found', describeForOperator(toReport(left)));
}

/** What a revision adds and must not. What is on the branch already was judged when it was pushed, or others pushed it. */
async function listAdded(workspace: Workspace): Promise<FileRemarks['refused']> {
  const { mirror, parent, head } = workspace;
  const { files } = await diffCommits({ mirror, from: parent, to: head(), maxBytes: 0 });
  return (await listFileRemarks(workspace, files)).refused;
}

function withSecrets(secrets: Secret[]): Drafted {
  const findings = toReport(secrets);
  const message = describeForOperator(findings);
  return { kind: 'secrets', findings, outcome: failed('secrets_found', message) };
}

function end(reason: 'change_refused' | 'secrets_found', message: string): Drafted {
  return { kind: 'ended', outcome: failed(reason, message) };
}

type Redact = (text: string) => string;

function describeRedacted(
  { claim, record }: DraftNeeds,
  change: Change,
  { remarks, revision, redact }: { remarks: Remark[]; revision: Revision | undefined; redact: Redact },
): ProposalText {
  const { title, subject, summary, body } = describeProposal(claim.operation, {
    ...change,
    remarks: [...remarks, ...record.commandRemarks()],
    ...(revision && {
      before: { title: withoutMark(revision.proposed.pullRequest.title), summaries: revision.summaries },
    }),
  });
  return { title: redact(title), subject: redact(subject), summary: redact(summary), body: redact(body) };
}

async function commit(
  { claim: { operation, requester } }: DraftNeeds,
  { mirror, parent, head }: Workspace,
  { text, redact, madeAt }: { text: ProposalText; redact: Redact; madeAt: string },
): Promise<string> {
  const name = redact(requester.name);
  return commitProposal({
    mirror,
    tree: head(),
    base: parent,
    message: composeMessage({
      subject: text.subject,
      body: text.summary,
      trailers: [
        ['Requested-By', name],
        ['Fettle-Operation', operation.id],
        ['Co-Authored-By', `${name} <${redact(requester.email)}>`],
      ],
    }),
    author: identity,
    committer: identity,
    dateSeconds: Math.floor(Date.parse(madeAt) / 1000),
  });
}

/** Redacts before it builds the name, in which a secret would be hard to recognise. */
function chooseBranch({ claim }: DraftNeeds, redact: Redact): string {
  const { id, request } = claim.operation;
  const description = redact(request.description);
  const ticket = request.ticket === undefined ? findTicket(description) : redact(request.ticket);
  const title = description.replace(ticket ?? '', '');
  return branchName({ id, title, ...(ticket !== undefined && { ticket }) });
}

/** Finds a ticket at the start or in brackets. Elsewhere the pattern matches other names with a number, such as UTF-8. */
function findTicket(description: string): string | undefined {
  const [, atStart, bracketed] =
    /^\W*([A-Z][A-Z0-9]+-\d+)\b|[([]([A-Z][A-Z0-9]+-\d+)[)\]]/.exec(description) ?? [];
  const found = atStart ?? bracketed;
  return found && !/^(UTF|SHA|ISO|RFC|MD|AES|RSA|TLS|HTTP|ES|CP|PEP|IPV|GPT)-/.test(found)
    ? found
    : undefined;
}
