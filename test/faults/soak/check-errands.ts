/** Checks that each errand ended as expected, with the same tree each time. */

import { errands } from '../support/errands.ts';
import { openRecords } from '../support/records.ts';
import type { Person } from './person.ts';
import type { Stage } from './stage.ts';

export async function findErrandFaults(stage: Stage, person: Person): Promise<string[]> {
  const { home, databaseUrl, repositories } = stage;
  const records = await openRecords(databaseUrl === undefined ? { home } : { databaseUrl });
  try {
    const operations = new Map(
      (await records.listOperations()).map((operation) => [operation.id, operation]),
    );
    const trees = new Map<string, string>();
    const faults = person.asked.flatMap(({ id, key, errand }) => {
      const operation = operations.get(id);
      if (!operation) return [`${key}: its operation ${id} is gone`];
      operations.delete(id);
      if (operation.state === 'cancelled') return [];
      const { end } = errands[errand] ?? {};
      if (operation.state !== end) return [`${id}: ${errand} ended ${operation.state}, not ${end}`];
      const { outcome } = operation;
      if (outcome?.kind !== 'proposal') return [];
      const repository = repositories.find(({ path }) => path === operation.request.repository);
      const tree = repository?.git('rev-parse', `${outcome.headCommit}^{tree}`) ?? '';
      const wanted = trees.get(errand) ?? tree;
      trees.set(errand, wanted);
      return tree === wanted ? [] : [`${id}: the tree of ${errand} is ${tree}, elsewhere it is ${wanted}`];
    });
    return [...faults, ...[...operations.keys()].map((id) => `${id}: nobody asked for it`)];
  } finally {
    await records.close();
  }
}
