/** The webhook of an App: its settings, its deliveries, new attempts. */
import { z } from 'zod';
import { requireApp } from '../app/app-endpoints.ts';
import { notFound } from '../http/api-error.ts';
import { type Call, type Endpoint, ok, route } from '../http/endpoint.ts';
import { deliveryItemShape, deliveryShape } from '../shapes/delivery.ts';
import type { App } from '../state/model.ts';
import type { Deliveries, Delivery } from './deliveries.ts';

const defaultPerPage = 30;
const maxPerPage = 100;

export function hookEndpoints(deliveries: Deliveries): Endpoint[] {
  const requireDelivery = (call: Call): Delivery => {
    const id = Number(call.params.delivery_id);
    const found = deliveries.list(requireApp(call)).find((each) => each.id === id);
    if (!found) throw notFound();
    return found;
  };
  return [
    route({
      method: 'GET',
      path: '/app/hook/config',
      auth: 'app',
      run: (call) => ok(configShape(requireApp(call))),
    }),
    route({
      method: 'PATCH',
      path: '/app/hook/config',
      auth: 'app',
      body: z.object({
        url: z.string().optional(),
        secret: z.string().optional(),
        content_type: z.enum(['json', 'form']).optional(),
      }),
      run: (call) => {
        const { hook } = requireApp(call);
        hook.url = call.body.url ?? hook.url;
        hook.secret = call.body.secret ?? hook.secret;
        hook.contentType = call.body.content_type ?? hook.contentType;
        return ok(configShape(requireApp(call)));
      },
    }),
    route({
      method: 'GET',
      path: '/app/hook/deliveries',
      auth: 'app',
      run: (call) => listPage(call, deliveries.list(requireApp(call))),
    }),
    route({
      method: 'GET',
      path: '/app/hook/deliveries/{delivery_id}',
      auth: 'app',
      run: (call) => ok(deliveryShape(requireDelivery(call))),
    }),
    route({
      method: 'POST',
      path: '/app/hook/deliveries/{delivery_id}/attempts',
      auth: 'app',
      run: (call) => {
        void deliveries.redeliver(requireDelivery(call));
        return { status: 202, body: {} };
      },
    }),
  ];
}

/** Pages by cursor: there is no number of the last page. */
function listPage({ query, url }: Call, all: Delivery[]) {
  const perPage = Math.min(Number(query.per_page) || defaultPerPage, maxPerPage);
  const cursor = /^v1_(\d+)$/.exec(query.cursor ?? '')?.[1];
  const wanted = all
    .filter(({ id }) => cursor === undefined || id < Number(cursor))
    .filter(({ status }) => query.status === undefined || (status === 'OK') === (query.status === 'success'));
  const shown = wanted.slice(0, perPage);
  const last = shown.at(-1);
  const hasMore = wanted.length > shown.length && last !== undefined;
  const next = new URL(url);
  for (const [name, value] of Object.entries(query)) next.searchParams.set(name, value);
  if (hasMore) next.searchParams.set('cursor', `v1_${last.id}`);
  return {
    ...ok(shown.map(deliveryItemShape)),
    ...(hasMore && { headers: { link: `<${next}>; rel="next"` } }),
  };
}

function configShape({ hook }: App) {
  return {
    content_type: hook.contentType,
    insecure_ssl: '0',
    ...(hook.secret !== undefined && { secret: '********' }),
    ...(hook.url !== undefined && { url: hook.url }),
  };
}
