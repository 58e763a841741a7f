import { listenToNotifications, type NotifyListener } from '@/server/platform/db/listen';
import { databasePool } from '@/server/platform/db/client';
import { NOTIFY_CHANNELS, splitNotifyPayloads } from '@/server/platform/db/notify-channels';
import { serviceLog } from '@/server/platform/log';
import { encodeReplyText, decodeReplyText } from './reply-text';
import type { WorkerEvents, ViewerEvents, FleetDispatcher } from './events';

/** Any database user can notify; a payload that is not a list of ids is ignored. */
function parsePayloadIds(payload: string): string[] {
  try {
    const ids: unknown = JSON.parse(payload);
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

/** Receives the notifications of commits. */
export const subscribeToWork = ({
  onWork,
  onSignals,
  onReferenceData,
  onSubscriptions,
  onGap,
}: WorkerEvents): Promise<NotifyListener> =>
  listenToNotifications(
    [NOTIFY_CHANNELS.work, NOTIFY_CHANNELS.signals, NOTIFY_CHANNELS.referenceData, NOTIFY_CHANNELS.subscriptions],
    (channel, payload) => {
      if (channel === NOTIFY_CHANNELS.work) onWork();
      else if (channel === NOTIFY_CHANNELS.subscriptions) onSubscriptions();
      else (channel === NOTIFY_CHANNELS.signals ? onSignals : onReferenceData)(parsePayloadIds(payload));
    },
    onGap,
  );

/** Receives the changes of pins: the transactions that make them notify. */
export const subscribeToPins = (onPins: (workflowIds: string[]) => void, onGap: () => void): Promise<NotifyListener> =>
  listenToNotifications([NOTIFY_CHANNELS.pins], (_, payload) => onPins(parsePayloadIds(payload)), onGap);

const watchNotifications = ({
  onChanged,
  onPresence,
  onWebhookCalls,
  onPins,
  onGap,
}: ViewerEvents): Promise<NotifyListener> => {
  const handlers = new Map<string, (ids: string[]) => void>([
    [NOTIFY_CHANNELS.changes, onChanged],
    [NOTIFY_CHANNELS.presence, onPresence],
    [NOTIFY_CHANNELS.webhookCalls, onWebhookCalls],
  ]);
  if (onPins) handlers.set(NOTIFY_CHANNELS.pins, onPins);
  return listenToNotifications(
    [...handlers.keys()],
    (channel, payload) => handlers.get(channel)?.(parsePayloadIds(payload)),
    onGap,
  );
};

function sendNotifications(channel: string, messages: string[]): void {
  databasePool()
    .query('SELECT pg_notify($1, payload) FROM unnest($2::text[]) payload', [channel, messages])
    .catch((error: unknown) => serviceLog().warn({ err: error, channel }, 'a change could not be notified'));
}

const createNotifier =
  (channel: string) =>
  (workflowIds: string[]): void =>
    sendNotifications(channel, splitNotifyPayloads(workflowIds));

/**
 * The default: LISTEN and NOTIFY, without further services. Every worker receives every notification and runs its own
 * timers.
 */
export const postgresDispatcher: FleetDispatcher = {
  isInDatabase: true,
  pollMs: 1000,
  horizonMs: Infinity,
  notifyWork: () => undefined,
  changed: () => undefined,
  presenceChanged: createNotifier(NOTIFY_CHANNELS.presence),
  webhookCalled: createNotifier(NOTIFY_CHANNELS.webhookCalls),
  replyTextWritten: (piece) => sendNotifications(NOTIFY_CHANNELS.answerText, encodeReplyText(piece)),
  watchReplyTexts: (onText) =>
    listenToNotifications(
      [NOTIFY_CHANNELS.answerText],
      (_, payload) => {
        const piece = decodeReplyText(payload);
        if (piece) onText(piece);
      },
      () => undefined,
    ),
  subscribeWorker: subscribeToWork,
  watch: watchNotifications,
  everyMinute: async () => ({ close: async () => undefined }),
  close: async () => undefined,
};
