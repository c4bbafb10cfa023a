import { formatTime } from '../state/world.ts';
import type { Delivery } from '../webhooks/deliveries.ts';

export function deliveryItemShape(delivery: Delivery) {
  return {
    id: delivery.id,
    guid: delivery.guid,
    delivered_at: formatTime(delivery.deliveredAtMs),
    redelivery: delivery.isRedelivery,
    duration: delivery.durationSeconds,
    status: delivery.status,
    status_code: delivery.statusCode,
    event: delivery.event,
    action: delivery.action ?? null,
    installation_id: delivery.installationId ?? null,
    repository_id: delivery.repositoryId ?? null,
    throttled_at: null,
  };
}

export function deliveryShape(delivery: Delivery) {
  return {
    ...deliveryItemShape(delivery),
    url: delivery.url,
    request: { headers: delivery.requestHeaders, payload: JSON.parse(delivery.payload) },
    response: { headers: delivery.responseHeaders, payload: delivery.responseBody },
  };
}
