import type { PollTrigger, PollDeliveryMode, FirstPollMode } from '@/contract/triggers/poll';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';

/** A poll as it is edited. The fields of an interval stay while fixed times are chosen, and the other way round. */
export interface PollDraft {
  name: string;
  times: 'interval' | 'cron';
  seconds: number;
  cron: string;
  /** The time zone of the cron expression. Undefined for that of the workflow. */
  timezone: string | undefined;
  type: string;
  config: Record<string, unknown>;
  credentialId: string | undefined;
  /** What picked values were called, by their paths in the config. */
  labels: Readonly<Record<string, string>> | undefined;
  items: string;
  key: string;
  cursor: string;
  /** The language of the expressions, which do not follow that of the workflow. */
  language: ExpressionLanguage;
  deliver: PollDeliveryMode;
  first: FirstPollMode;
  startNodeId: string | null;
}

export const EMPTY_POLL_DRAFT: PollDraft = {
  name: '',
  times: 'interval',
  seconds: 60,
  cron: '*/15 * * * *',
  timezone: undefined,
  type: 'http_request',
  config: {},
  credentialId: undefined,
  labels: undefined,
  items: 'input.body',
  key: 'item.id',
  cursor: '',
  language: 'jsonata',
  deliver: 'each',
  first: 'skip',
  startNodeId: null,
};

/** The settings that a poll has when its node gets this type. */
export function pollSourcePreset({
  type,
  sourceSettings,
}: Pick<NodeTypeDescription, 'type' | 'sourceSettings'>): Pick<
  PollDraft,
  'type' | 'config' | 'items' | 'key' | 'cursor'
> {
  const { items, key, cursor } = EMPTY_POLL_DRAFT;
  return { items, key, cursor, config: {}, ...sourceSettings, type };
}

export const toPollDraft = ({
  name,
  intervalMs,
  cron,
  timezone,
  node,
  items,
  key,
  cursor,
  language,
  deliver,
  first,
  startNodeId,
}: PollTrigger): PollDraft => ({
  name,
  times: cron === null ? 'interval' : 'cron',
  seconds: intervalMs === null ? EMPTY_POLL_DRAFT.seconds : intervalMs / 1000,
  cron: cron ?? EMPTY_POLL_DRAFT.cron,
  timezone: timezone ?? undefined,
  type: node.type,
  config: node.config,
  credentialId: node.credentialId,
  labels: node.labels,
  items,
  key,
  cursor: cursor ?? '',
  language,
  deliver,
  first,
  startNodeId,
});

/** The request body. `timeoutMs` is the timeout of the node, which this dialog does not edit. */
export function pollRequestBody(draft: PollDraft, timeoutMs: number | undefined) {
  const { name, times, seconds, cron, timezone, type, config, credentialId, labels, startNodeId } = draft;
  const { items, key, language, deliver, first } = draft;
  const when = times === 'interval' ? { intervalMs: Math.round(seconds * 1000) } : { cron: cron.trim(), timezone };
  const node = { type, config, credentialId, timeoutMs, labels };
  return { name: name.trim(), ...when, node, items, key, language, deliver, first, startNodeId };
}

/** The fields of the dialog that errors of the service belong to. */
const POLL_DIALOG_FIELDS =
  /^(name|startNodeId|intervalMs|cron|timezone|items|key|cursor|node\.(type|credentialId|config(\..+)?))$/;
export const isPollDialogField = (field: string): boolean => POLL_DIALOG_FIELDS.test(field);
