/** NOTIFY channels. A notification is a hint; the rows are the truth, and a slow poll finds what a lost one meant. */
export const CHANNELS = {
  /** A run may be taken. No payload. */
  work: 'weft_work',
  /** Payload: JSON array of the ids of executions that a flush changed. */
  changes: 'weft_changes',
  /** Somebody wants something of these running executions: cancel them, or go on after a decision. JSON array of ids. */
  wishes: 'weft_cancel',
  /** Somebody came to these workflows, or went. JSON array of their ids. */
  visits: 'weft_visits',
} as const;

/** PostgreSQL takes payloads of less than 8000 bytes. */
const MAX_BYTES = 7000;

/** The ids as JSON arrays that each fit into one notification. */
export function payloads(ids: string[]): string[] {
  const parts: string[] = [];
  let part = '';
  for (const id of ids) {
    const next = JSON.stringify(id);
    if (part.length + next.length + 3 > MAX_BYTES) {
      parts.push(`[${part}]`);
      part = '';
    }
    part += part ? `,${next}` : next;
  }
  return part ? [...parts, `[${part}]`] : parts;
}
