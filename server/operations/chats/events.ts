import type { ChatEvent } from '@/contract/triggers/chat-limits';
import { pool } from '@/server/db/client';
import type { Connection } from '@/server/disconnect';
import { answerTexts } from '@/server/engine/answers/answer-texts';
import { NO_ANSWER, type CallerOutcome, type WaitingCaller } from '@/server/engine/answers/waiting-caller';
import { waitingCallers } from '@/server/engine/queue/callers';
import { answerEvent } from './answer';

/** A client that waits for the answers of a chat. */
export interface Client {
  workspaceId: string;
  /** The chat and the network: one network has few connections at a time. */
  sender: string;
  connection: Connection | undefined;
}

/** Milliseconds until the first event about the state of the run, and between the others: proxies close silent connections. */
const FIRST_MS = 2000;
const BEAT_MS = 10_000;
/** Milliseconds after which the client has to ask again: proxies also close connections that are old. */
const OPEN_MS = 110_000;

const GONE = 'The answer is no longer available.';

/** The client as one that waits for the answer of its run for a beat; undefined: too many wait already. */
export const waitForAnswer = (client: Client, timeoutMs = FIRST_MS): WaitingCaller | undefined =>
  waitingCallers().admit({ ...client, awaited: 'answer or output', timeoutMs, bytes: 0 });

/**
 * The events about a run until its answer, or until it is time to ask again. `caller`: who waits for the first beat; undefined: too many
 * wait already, so the client has to ask again. `isNew`: this call has stored the run.
 */
export async function* eventsOf(
  client: Client,
  executionId: string,
  caller: WaitingCaller | undefined,
  isNew: boolean,
): AsyncGenerator<ChatEvent> {
  const openUntil = performance.now() + OPEN_MS;
  const preview = new Preview(executionId);
  try {
    for (let waiting = caller, isFirst = isNew; ; isFirst = false) {
      const outcome = waiting ? yield* preview.until(waiting.wait(isFirst)) : NO_ANSWER;
      const said = answerEvent(outcome);
      if (said) return yield said;
      const state = outcome.kind === 'stopping' ? null : await stateOf(client.workspaceId, executionId);
      if (state === 'gone') return yield { event: 'error', data: { message: GONE } };
      if (state) yield { event: state, data: {} };
      waiting = state && waiting && performance.now() < openUntil ? waitForAnswer(client, BEAT_MS) : undefined;
      if (!waiting || waiting.isFinished) return yield { event: 'later', data: {} };
      waiting.follow(executionId);
    }
  } finally {
    preview.stop();
  }
}

/** Pieces of an answer that wait for a slow client. It misses further ones, and the rest of the preview with them. */
const MAX_PIECES = 1000;

/** The answer of a run while it is written. */
class Preview {
  private pieces: { at: number; text: string }[] = [];
  private wake: (() => void) | undefined;
  readonly stop: () => void;

  constructor(executionId: string) {
    this.stop = answerTexts().follow(executionId, (piece) => {
      if (this.pieces.length < MAX_PIECES) this.pieces.push(piece);
      this.wake?.();
    });
  }

  /** The pieces that arrive before an outcome does, which is returned. */
  async *until(outcome: CallerOutcome | Promise<CallerOutcome>): AsyncGenerator<ChatEvent, CallerOutcome> {
    for (;;) {
      const woken = new Promise<undefined>((resolve) => (this.wake = () => resolve(undefined)));
      for (const { at, text } of this.pieces.splice(0)) yield { event: 'partial', data: { at, text } };
      const ended = await Promise.race([outcome, woken]);
      if (ended) return ended;
    }
  }
}

/** Whether no worker has the run, and none will take it soon: it waits for an approval, a call or a time. */
const STATE = `
SELECT status = 'paused' OR (status = 'running' AND worker_id IS NULL AND coalesce(available_at > now() + interval '2 seconds', true)) AS "isAsleep"
FROM execution WHERE id = $1 AND workspace_id = $2`;

async function stateOf(workspaceId: string, executionId: string): Promise<'working' | 'waiting' | 'gone'> {
  const { rows } = await pool().query<{ isAsleep: boolean }>({
    name: 'chats-state',
    text: STATE,
    values: [executionId, workspaceId],
  });
  if (!rows[0]) return 'gone';
  return rows[0].isAsleep ? 'waiting' : 'working';
}
