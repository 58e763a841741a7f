/** NOTIFY channels. A notification is a hint; the rows are the truth, and a slow poll covers lost notifications. */
export const NOTIFY_CHANNELS = {
  /** A run is waiting for a worker. No payload. */
  work: 'weft_work',
  /** Payload: JSON array of the ids of executions that a flush changed. */
  changes: 'weft_changes',
  /** These running executions have a signal: a cancellation or a decision. JSON array of ids. */
  signals: 'weft_cancel',
  /** Presence at these workflows changed. JSON array of their ids. */
  presence: 'weft_visits',
  /** Calls arrived at webhooks of these workflows while a user listened. JSON array of their ids. */
  webhookCalls: 'weft_webhook_calls',
  /** Pinned outputs of these workflows changed. JSON array of their ids. */
  pins: 'weft_pins',
  /** A version of these workflows was saved, published or discarded. JSON array of their ids. */
  workflowSaves: 'weft_workflow_saves',
  /** Where somebody points on the canvas of a workflow, as JSON. */
  pointers: 'weft_pointers',
  /** A piece of an answer that is being written: JSON array of the id of its execution, its position and its text. */
  answerText: 'weft_answer_text',
  /** Variables of these workspaces or settings of these workflows changed. JSON array of ids. */
  referenceData: 'weft_reference_data',
  /** Something changed on which subscriptions at providers depend: triggers of the database send it. No payload. */
  subscriptions: 'weft_subscriptions',
} as const;

/** PostgreSQL accepts payloads of less than 8000 bytes. */
const MAX_NOTIFY_BYTES = 7000;

/** The ids as JSON arrays that each fit into one notification. */
export function splitNotifyPayloads(ids: string[]): string[] {
  const parts: string[] = [];
  let part = '';
  for (const id of ids) {
    const next = JSON.stringify(id);
    if (part.length + next.length + 3 > MAX_NOTIFY_BYTES) {
      parts.push(`[${part}]`);
      part = '';
    }
    part += part ? `,${next}` : next;
  }
  return part ? [...parts, `[${part}]`] : parts;
}
