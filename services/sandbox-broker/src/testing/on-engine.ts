/** Lists the containers and volumes of a broker on the test engine. */
import { connectEngine } from '../engine/connect-engine.ts';
import { labels } from '../sandboxes/labels.ts';

export const engineAddress = process.env.FETTLE_TEST_ENGINE ?? '';

export function connectTestEngine() {
  return connectEngine(engineAddress);
}

export async function listOnEngine(name: string): Promise<{ containers: string[]; volumes: string[] }> {
  const engine = connectTestEngine();
  const filters = { label: [`${labels.broker}=${name}`] };
  const containers = await engine.listContainers({ all: true, filters });
  const { Volumes } = await engine.listVolumes({ filters });
  return { containers: containers.map(({ Id }) => Id), volumes: (Volumes ?? []).map(({ Name }) => Name) };
}
