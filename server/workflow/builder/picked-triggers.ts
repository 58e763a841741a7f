import type { TemplateTrigger } from '@/contract/workflows/template';
import { isWrittenFields, type PickedValueResolver, type WrittenFields } from './picked-values';

/**
 * Puts ids in place of names in the triggers of a submission: in the sources of polls, and in the events that providers
 * report. What is no such trigger is left to the validation. `before`: the triggers that were proposed before.
 */
export async function resolvePickedTriggers(
  resolver: PickedValueResolver,
  submitted: readonly unknown[],
  before: readonly TemplateTrigger[],
): Promise<unknown[]> {
  const resolved: unknown[] = [];
  for (const [index, trigger] of submitted.entries())
    resolved.push(await resolveTrigger(resolver, trigger, before, `triggers[${index}].settings`));
  return resolved;
}

async function resolveTrigger(
  resolver: PickedValueResolver,
  trigger: unknown,
  before: readonly TemplateTrigger[],
  at: string,
): Promise<unknown> {
  const settings = isWrittenFields(trigger) ? trigger['settings'] : undefined;
  if (!isWrittenFields(trigger) || !isWrittenFields(settings)) return trigger;
  const { node, subscription } = settings;
  if (trigger['kind'] === 'poll' && isWrittenFields(node))
    return { ...trigger, settings: { ...settings, node: await resolvePollNode(resolver, node, before, `${at}.node`) } };
  if (trigger['kind'] !== 'webhook' || !isWrittenFields(subscription)) return trigger;
  const made = await resolveSubscription(resolver, subscription, before, `${at}.subscription`);
  return { ...trigger, settings: { ...settings, subscription: made } };
}

/** A model writes a word in place of the id of an account that is missing. */
const readAccount = ({ credentialId }: WrittenFields): string | undefined =>
  typeof credentialId === 'string' && credentialId !== 'missing' ? credentialId : undefined;

async function resolvePollNode(
  resolver: PickedValueResolver,
  node: WrittenFields,
  before: readonly TemplateTrigger[],
  at: string,
): Promise<WrittenFields> {
  const { config } = node;
  if (!isWrittenFields(config)) return node;
  const old = before.flatMap((one) => (one.kind === 'poll' ? [one.settings.node] : []));
  const same = old.find((one) => one.config['operation'] === config['operation']);
  const written = { type: node['type'], config, credentialId: readAccount(node) };
  const resolved = await resolver.resolveConnectorNode(written, same, `${at}.config`);
  return { ...node, config: resolved.config, ...keepPicked(node, resolved) };
}

async function resolveSubscription(
  resolver: PickedValueResolver,
  subscription: WrittenFields,
  before: readonly TemplateTrigger[],
  at: string,
): Promise<WrittenFields> {
  const { connectorId, event, parameters } = subscription;
  if (typeof connectorId !== 'string' || typeof event !== 'string' || !isWrittenFields(parameters)) return subscription;
  const old = before.flatMap((one) => (one.kind === 'webhook' ? (one.settings.subscription ?? []) : []));
  const same = old.find((one) => one.connectorId === connectorId && one.event === event);
  const known = same && { parameters: same.parameters, credentialId: same.credentialId ?? undefined };
  const call = { connectorId, called: { event }, parameters, credentialId: readAccount(subscription), before: known };
  const resolved = await resolver.resolveCall(call, `${at}.parameters`);
  return { ...subscription, parameters: resolved.parameters, ...keepPicked(subscription, resolved) };
}

/** The account that was asked, and the names of what was picked. */
function keepPicked(
  written: WrittenFields,
  { credentialId, labels }: { credentialId: string | undefined; labels: Record<string, string> },
): WrittenFields {
  const old = isWrittenFields(written['labels']) ? written['labels'] : {};
  return {
    ...(credentialId === undefined ? {} : { credentialId }),
    ...(Object.keys(labels).length > 0 ? { labels: { ...old, ...labels } } : {}),
  };
}
