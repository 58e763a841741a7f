import { listen, type Listener } from '@/server/db/listen';
import { pool } from '@/server/db/client';
import { CHANNELS, payloads } from '@/server/db/notify-channels';
import { log } from '@/server/log';
import { messagesOf, pieceIn } from './answer-text';
import type { WorkerEvents, ViewerEvents, Dispatcher } from './events';

/** Any database user can notify; a payload that is not a list of ids is ignored. */
function idsIn(payload: string): string[] {
  try {
    const ids: unknown = JSON.parse(payload);
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

/** Receives the notifications of commits. */
export const subscribeToWork = ({ onWork, onSignals, onReferenceData, onGap }: WorkerEvents): Promise<Listener> =>
  listen(
    [CHANNELS.work, CHANNELS.signals, CHANNELS.referenceData],
    (channel, payload) => {
      if (channel === CHANNELS.work) onWork();
      else (channel === CHANNELS.signals ? onSignals : onReferenceData)(idsIn(payload));
    },
    onGap,
  );

/** Receives the changes of pins: the transactions that make them notify. */
export const subscribeToPins = (onPins: (workflowIds: string[]) => void, onGap: () => void): Promise<Listener> =>
  listen([CHANNELS.pins], (_, payload) => onPins(idsIn(payload)), onGap);

const watch = ({ onChanged, onPresence, onWebhookCalls, onPins, onGap }: ViewerEvents): Promise<Listener> => {
  const handlers = new Map<string, (ids: string[]) => void>([
    [CHANNELS.changes, onChanged],
    [CHANNELS.presence, onPresence],
    [CHANNELS.webhookCalls, onWebhookCalls],
  ]);
  if (onPins) handlers.set(CHANNELS.pins, onPins);
  return listen([...handlers.keys()], (channel, payload) => handlers.get(channel)?.(idsIn(payload)), onGap);
};

function notify(channel: string, messages: string[]): void {
  pool()
    .query('SELECT pg_notify($1, payload) FROM unnest($2::text[]) payload', [channel, messages])
    .catch((error: unknown) => log().warn({ err: error, channel }, 'a change could not be notified'));
}

const notifyOn =
  (channel: string) =>
  (workflowIds: string[]): void =>
    notify(channel, payloads(workflowIds));

/** The default: LISTEN and NOTIFY, without further services. Every worker receives every notification and runs its own timers. */
export const postgresDispatcher: Dispatcher = {
  isInDatabase: true,
  pollMs: 1000,
  horizonMs: Infinity,
  notifyWork: () => undefined,
  changed: () => undefined,
  presenceChanged: notifyOn(CHANNELS.presence),
  webhookCalled: notifyOn(CHANNELS.webhookCalls),
  answerWritten: (piece) => notify(CHANNELS.answerText, messagesOf(piece)),
  watchAnswers: (onText) =>
    listen(
      [CHANNELS.answerText],
      (_, payload) => {
        const piece = pieceIn(payload);
        if (piece) onText(piece);
      },
      () => undefined,
    ),
  subscribeWorker: subscribeToWork,
  watch,
  everyMinute: async () => ({ close: async () => undefined }),
  close: async () => undefined,
};
