import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { ListedTrigger } from '@/contract/workflows/listed-trigger';
import { findOperationServiceId } from '@/contract/connectors/connector-icons';
import { serviceEventTitle } from './event/event-title';
import { findTriggerKind } from './kinds';
import { VERIFICATION_CHOICES } from './webhook/webhook-draft';

/** What starts a workflow, in words: `Schedule`, `Poll of Gmail`, `New order in Shopify`, `Webhook of GitHub (off)`. */
export function describeListedTrigger(
  trigger: ListedTrigger,
  connector: Pick<ConnectorResponse, 'name' | 'services' | 'events'> | undefined,
): string {
  const name = triggerName(trigger, connector);
  return trigger.enabled ? name : `${name} (off)`;
}

function triggerName(
  { kind, service, operation }: ListedTrigger,
  connector: Pick<ConnectorResponse, 'name' | 'services' | 'events'> | undefined,
): string {
  const label = findTriggerKind(kind)?.label ?? 'Trigger';
  if (service === null) return label;
  const event = connector?.events.find(({ id }) => id === operation);
  if (connector && event) return serviceEventTitle(event.title, connector.name);
  const serviceId = findOperationServiceId(service, operation);
  const name =
    connector?.services.find(({ id }) => id === serviceId)?.name ??
    connector?.name ??
    VERIFICATION_CHOICES[`provider:${service}`]?.label;
  return name === undefined ? label : `${label} of ${name}`;
}
