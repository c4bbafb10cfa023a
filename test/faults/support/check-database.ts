/** What must be true of the tables when every operation has ended, each as a query for violations. */
import { settledStates } from '@fettle/contract';
import type { Records } from './records.ts';

const settled = settledStates.map((state) => `'${state}'`).join(', ');

const wrongs: { what: string; query: string }[] = [
  {
    what: 'has a lease though nobody works on it',
    query: `SELECT id FROM operation WHERE lease_expires_at IS NOT NULL AND state IN (${settled})`,
  },
  {
    what: 'is not known when it was settled',
    query: `SELECT id FROM operation WHERE settled_at IS NULL AND state IN (${settled})`,
  },
  {
    what: 'has the Idempotency-Key of another one',
    query: `SELECT id FROM operation WHERE (organization_id, idempotency_key) IN (SELECT organization_id,
      idempotency_key FROM operation WHERE idempotency_key IS NOT NULL GROUP BY 1, 2 HAVING count(*) > 1)`,
  },
  {
    what: 'has an attempt without an end',
    query: 'SELECT operation_id AS id FROM attempt WHERE ended_at IS NULL OR end_state IS NULL',
  },
  {
    what: 'has attempts that are not 1, 2, 3 … with rising fences',
    query: `SELECT o.id FROM operation o LEFT JOIN attempt a ON a.operation_id = o.id
      GROUP BY o.id, o.attempt_count, o.fence
      HAVING count(a.number) <> o.attempt_count OR coalesce(max(a.number), 0) <> o.attempt_count
        OR coalesce(max(a.fence), 0) > o.fence OR count(DISTINCT a.fence) <> count(a.number)`,
  },
  { what: 'has something in the outbox', query: 'SELECT operation_id AS id FROM outbox' },
  {
    what: 'has a part that never finished',
    query: `SELECT operation_id AS id FROM part WHERE status = 'started'`,
  },
  {
    what: 'has more than one pull request',
    query: 'SELECT operation_id AS id FROM pull_request GROUP BY 1 HAVING count(*) > 1',
  },
  {
    what: 'has an open pull request and no proposal',
    query: `SELECT o.id FROM pull_request p JOIN operation o ON o.id = p.operation_id
      WHERE p.state IN ('open', 'draft') AND coalesce(o.outcome ->> 'kind', '') <> 'proposal'`,
  },
  {
    what: 'has a proposal that its pull request does not show',
    query: `SELECT o.id FROM operation o LEFT JOIN pull_request p ON p.operation_id = o.id
      WHERE o.outcome ->> 'kind' = 'proposal' AND (p.id IS NULL OR p.branch <> o.outcome ->> 'branch'
        OR p.head_commit <> o.outcome ->> 'headCommit'
        OR p.number <> (o.outcome -> 'pullRequest' ->> 'number')::int)`,
  },
];

export async function findDatabaseFaults({ query }: Pick<Records, 'query'>): Promise<string[]> {
  const faults: string[] = [];
  for (const wrong of wrongs) {
    const rows = await query(wrong.query);
    faults.push(...rows.map(({ id }) => `${id}: ${wrong.what}`));
  }
  return faults;
}
