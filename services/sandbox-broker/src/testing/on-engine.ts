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

/** The volumes with tools, which a broker keeps. */
export async function listToolVolumes(name: string): Promise<string[]> {
  const filters = { label: [`${labels.tools}=${name}`] };
  const { Volumes } = await connectTestEngine().listVolumes({ filters });
  return (Volumes ?? []).map(({ Name }) => Name).sort();
}

export async function removeToolVolumes(name: string): Promise<void> {
  for (const volume of await listToolVolumes(name)) await connectTestEngine().getVolume(volume).remove();
}
