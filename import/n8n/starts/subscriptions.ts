import { cutWellFormed, type N8nNode } from '../file';
import type { EmptyFieldChoice } from '../remarks';
import { SUBSCRIBED_TRIGGERS } from './subscribed-events';
import type { ConvertedTrigger } from './trigger';

/** Webhooks that Weft makes at a service once they have an account; undefined: it has no such event. */
export function convertSubscribedTrigger(
  { parameters, version }: N8nNode,
  short: string,
): ConvertedTrigger | undefined {
  const convert = Object.hasOwn(SUBSCRIBED_TRIGGERS, short) ? SUBSCRIBED_TRIGGERS[short] : undefined;
  const found = convert?.(parameters, version);
  if (!found) return undefined;
  const { service, connectorId, events, shape, isRequest, parameters: asked = {} } = found;
  const values = Object.entries(asked);
  const known = values.flatMap(([name, { value }]) =>
    value === undefined ? [] : [[name, cutWellFormed(value, 1000)] as const],
  );
  const labels = values.flatMap(([name, { name: called }]) =>
    called === undefined ? [] : [[name, cutWellFormed(called, 200)] as const],
  );
  const choices: EmptyFieldChoice[] = values.flatMap(([name, { label, value }]) =>
    value === undefined
      ? [{ field: `subscription.parameters.${name}`, sentence: `Choose its ${label} under Triggers.` }]
      : [],
  );
  return {
    triggers: events.map((event) => ({
      kind: 'webhook' as const,
      settings: {
        subscription: {
          connectorId,
          event,
          parameters: Object.fromEntries(known),
          credentialId: null,
          ...(labels.length > 0 ? { labels: Object.fromEntries(labels) } : {}),
        },
        ...(isRequest ? { input: 'request' as const } : {}),
      },
    })),
    isWhole: false,
    message: [`Choose its account at ${service} under Triggers.`, ...choices.map(({ sentence }) => sentence)].join(' '),
    choices,
    ...(shape === undefined ? {} : { shape }),
    names: new Map(),
  };
}
