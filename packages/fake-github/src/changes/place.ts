import type { Actor, Repository } from '../state/model.ts';
import type { GithubEvent, World } from '../state/world.ts';

/** Where a change happens and who makes it. */
export interface Place {
  world: World;
  repository: Repository;
  actor: Actor;
}

export function emitHere(
  { world, repository, actor }: Place,
  event: Omit<GithubEvent, 'repository' | 'sender'>,
): void {
  world.emit({ ...event, repository, sender: actor.account });
}
