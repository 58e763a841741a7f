import { listenToNotifications, type NotifyListener } from '@/server/platform/db/listen';
import { databasePool } from '@/server/platform/db/client';
import { NOTIFY_CHANNELS, splitNotifyPayloads } from '@/server/platform/db/notify-channels';
import { serviceLog } from '@/server/platform/log';
import { encodeReplyText, decodeReplyText } from './reply-text';
import type { WorkerEvents, ViewerEvents, FleetDispatcher, StoredWorkflowPart } from './events';

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

const forIds = (handle: (ids: string[]) => void) => (payload: string) => handle(parsePayloadIds(payload));

const STORED_PARTS: readonly StoredWorkflowPart[] = ['pins', 'workflowSaves'];

const handleStoredParts = (onStored: NonNullable<ViewerEvents['onStored']>) =>
  STORED_PARTS.map((part) => [NOTIFY_CHANNELS[part], forIds((ids) => onStored(part, ids))] as const);

/** Receives what transactions store about workflows: they notify with their commit. */
export function subscribeToStoredParts(
  onStored: NonNullable<ViewerEvents['onStored']>,
  onGap: () => void,
): Promise<NotifyListener> {
  return listenToHandlers(new Map<string, (payload: string) => void>(handleStoredParts(onStored)), onGap);
}

const listenToHandlers = (handlers: ReadonlyMap<string, (payload: string) => void>, onGap: () => void) =>
  listenToNotifications([...handlers.keys()], (channel, payload) => handlers.get(channel)?.(payload), onGap);

const watchNotifications = ({
  onChanged,
  onPresence,
  onWebhookCalls,
  onPointer,
  onStored,
  onGap,
}: ViewerEvents): Promise<NotifyListener> => {
  const handlers = new Map<string, (payload: string) => void>([
    [NOTIFY_CHANNELS.changes, forIds(onChanged)],
    [NOTIFY_CHANNELS.presence, forIds(onPresence)],
    [NOTIFY_CHANNELS.webhookCalls, forIds(onWebhookCalls)],
    ...(onPointer ? ([[NOTIFY_CHANNELS.pointers, onPointer]] as const) : []),
    ...(onStored ? handleStoredParts(onStored) : []),
  ]);
  return listenToHandlers(handlers, onGap);
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
  pointersMoved: (messages) => sendNotifications(NOTIFY_CHANNELS.pointers, messages),
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
