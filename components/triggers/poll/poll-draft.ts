import type { Poll, PollDelivery, PollFirst } from '@/contract/triggers/poll';
import type { NodeType } from '@/contract/workflows/node-type';

/** A poll as it is edited: what each kind of times needs is kept while the other is chosen. */
export interface PollDraft {
  name: string;
  times: 'interval' | 'cron';
  seconds: number;
  cron: string;
  /** Of the cron expression; undefined: the time zone of the workflow. */
  timezone: string | undefined;
  type: string;
  config: Record<string, unknown>;
  credentialId: string | undefined;
  items: string;
  key: string;
  cursor: string;
  deliver: PollDelivery;
  first: PollFirst;
}

export const EMPTY_POLL: PollDraft = {
  name: '',
  times: 'interval',
  seconds: 60,
  cron: '*/15 * * * *',
  timezone: undefined,
  type: 'http_request',
  config: {},
  credentialId: undefined,
  items: 'input.body',
  key: 'item.id',
  cursor: '',
  deliver: 'each',
  first: 'skip',
};

/** The settings that a poll has when its node gets this type. */
export function sourcePreset({
  type,
  sourceSettings,
}: Pick<NodeType, 'type' | 'sourceSettings'>): Pick<PollDraft, 'type' | 'config' | 'items' | 'key' | 'cursor'> {
  const { items, key, cursor } = EMPTY_POLL;
  return { items, key, cursor, config: {}, ...sourceSettings, type };
}

export const draftOf = ({
  name,
  intervalMs,
  cron,
  timezone,
  node,
  items,
  key,
  cursor,
  deliver,
  first,
}: Poll): PollDraft => ({
  name,
  times: cron === null ? 'interval' : 'cron',
  seconds: intervalMs === null ? EMPTY_POLL.seconds : intervalMs / 1000,
  cron: cron ?? EMPTY_POLL.cron,
  timezone: timezone ?? undefined,
  type: node.type,
  config: node.config,
  credentialId: node.credentialId,
  items,
  key,
  cursor: cursor ?? '',
  deliver,
  first,
});

/** The request body. `timeoutMs`: of the node, which is not edited here. */
export function bodyOf(draft: PollDraft, timeoutMs: number | undefined) {
  const { name, times, seconds, cron, timezone, type, config, credentialId, items, key, deliver, first } = draft;
  const when = times === 'interval' ? { intervalMs: Math.round(seconds * 1000) } : { cron: cron.trim(), timezone };
  return { name: name.trim(), ...when, node: { type, config, credentialId, timeoutMs }, items, key, deliver, first };
}

/** The fields of the dialog that errors of the service belong to. */
const SHOWN = /^(name|intervalMs|cron|timezone|items|key|cursor|node\.(type|credentialId|config(\..+)?))$/;
export const isShown = (field: string): boolean => SHOWN.test(field);

const UNITS = [
  { seconds: 86_400, name: 'day' },
  { seconds: 3600, name: 'hour' },
  { seconds: 60, name: 'minute' },
] as const;

/** How often a poll asks. */
export function everyText({ intervalMs, cron }: Pick<Poll, 'intervalMs' | 'cron'>): string {
  if (intervalMs === null) return cron ?? '';
  const seconds = intervalMs / 1000;
  const unit = UNITS.find((one) => seconds % one.seconds === 0);
  const count = seconds / (unit?.seconds ?? 1);
  const name = unit?.name ?? 'second';
  return count === 1 ? `Every ${name}` : `Every ${count} ${name}s`;
}
