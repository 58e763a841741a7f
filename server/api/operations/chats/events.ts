import type { ChatReplyEvent } from '@/contract/triggers/chat-limits';
import { databasePool } from '@/server/platform/db/client';
import type { ClientConnection } from '@/server/platform/messages/disconnect';
import { replyTextRelay } from '@/server/engine/answers/reply-text-relay';
import { ABANDONED_WAIT, type CallerWaitResult, type WaitingCaller } from '@/server/engine/answers/waiting-caller';
import { waitingCallerRegistry } from '@/server/engine/queue/callers';
import { chatResultEvent } from './reply';

/** A client that waits for the answers of a chat. */
export interface ChatClient {
  workspaceId: string;
  /** Identifies chat and network, because one network may hold only a few connections at a time. */
  sender: string;
  connection: ClientConnection | undefined;
}

/**
 * Milliseconds until the first event about the state of the run, and between later ones. Proxies close silent
 * connections.
 */
const FIRST_STATE_EVENT_MS = 2000;
const STATE_EVENT_INTERVAL_MS = 10_000;
/** Milliseconds after which the client has to ask again, because proxies also close old connections. */
const MAX_STREAM_MS = 110_000;

const REPLY_GONE_MESSAGE = 'The answer is no longer available.';

/**
 * Admits the client to wait for the reply of its run until the next event. Returns undefined if too many clients wait
 * already.
 */
export const waitForChatReply = (client: ChatClient, timeoutMs = FIRST_STATE_EVENT_MS): WaitingCaller | undefined =>
  waitingCallerRegistry().admit({ ...client, awaited: 'answer or output', timeoutMs, bytes: 0 });

/**
 * Streams the events about a run until its reply, or until the client has to ask again. `caller` waits for the first
 * interval; it is undefined if too many clients wait already. `isNew` says that this call has stored the run.
 */
export async function* streamChatEvents(
  client: ChatClient,
  executionId: string,
  caller: WaitingCaller | undefined,
  isNew: boolean,
): AsyncGenerator<ChatReplyEvent> {
  const openUntil = performance.now() + MAX_STREAM_MS;
  const preview = new ReplyPreview(executionId);
  try {
    for (let waiting = caller, isFirst = isNew; ; isFirst = false) {
      const outcome = waiting ? yield* preview.streamPiecesUntil(waiting.wait(isFirst)) : ABANDONED_WAIT;
      const said = chatResultEvent(outcome);
      if (said) return yield said;
      const state = outcome.kind === 'stopping' ? null : await readChatRunState(client.workspaceId, executionId);
      if (state === 'gone') return yield { event: 'error', data: { message: REPLY_GONE_MESSAGE } };
      if (state) yield { event: state, data: {} };
      waiting =
        state && waiting && performance.now() < openUntil
          ? waitForChatReply(client, STATE_EVENT_INTERVAL_MS)
          : undefined;
      if (!waiting || waiting.isFinished) return yield { event: 'later', data: {} };
      waiting.assignRun(executionId);
    }
  } finally {
    preview.stop();
  }
}

/** Pieces of a reply that are buffered for a slow client. Further pieces are dropped, so its preview ends there. */
const MAX_BUFFERED_PIECES = 1000;

/** Collects the reply of a run while a model writes it. */
class ReplyPreview {
  private pieces: { at: number; text: string }[] = [];
  private wake: (() => void) | undefined;
  readonly stop: () => void;

  constructor(executionId: string) {
    this.stop = replyTextRelay().addReader(executionId, (piece) => {
      if (this.pieces.length < MAX_BUFFERED_PIECES) this.pieces.push(piece);
      this.wake?.();
    });
  }

  /** Yields the pieces that arrive before the result, and returns the result. */
  async *streamPiecesUntil(
    outcome: CallerWaitResult | Promise<CallerWaitResult>,
  ): AsyncGenerator<ChatReplyEvent, CallerWaitResult> {
    for (;;) {
      const woken = new Promise<undefined>((resolve) => (this.wake = () => resolve(undefined)));
      for (const { at, text } of this.pieces.splice(0)) yield { event: 'partial', data: { at, text } };
      const ended = await Promise.race([outcome, woken]);
      if (ended) return ended;
    }
  }
}

/** Tells whether the run waits for an approval, a call or a time: no worker has it, and none will take it soon. */
const CHAT_RUN_STATE_SQL = `
SELECT status = 'paused' OR (status = 'running' AND worker_id IS NULL AND coalesce(available_at > now() + interval '2 seconds', true)) AS "isAsleep"
FROM execution WHERE id = $1 AND workspace_id = $2`;

async function readChatRunState(workspaceId: string, executionId: string): Promise<'working' | 'waiting' | 'gone'> {
  const { rows } = await databasePool().query<{ isAsleep: boolean }>({
    name: 'chats-state',
    text: CHAT_RUN_STATE_SQL,
    values: [executionId, workspaceId],
  });
  if (!rows[0]) return 'gone';
  return rows[0].isAsleep ? 'waiting' : 'working';
}
