import type { Try } from '@/contract/execution';

/** What a try leaves for people to look at, beside its error. */
export type Trace = Pick<Try, 'parameters' | 'answer'>;

/** Characters that the traces of a run may take; those who come late leave none. */
export interface TraceRoom {
  left: number;
}

export const traceRoom = (): TraceRoom => ({ left: 1024 * 1024 });

const MOST_OF_FIELD = 1000;
const MOST = 4000;

/** Parameters for people to read: fields that are long become the beginning of their text, and what is too much is left out. */
export function shortened(parameters: Record<string, unknown>): Record<string, unknown> {
  const fields: [string, unknown][] = [];
  let size = 0;
  for (const [name, value] of Object.entries(parameters)) {
    const json = JSON.stringify(value) ?? 'null';
    const isLong = json.length > MOST_OF_FIELD;
    const text = typeof value === 'string' ? value : json;
    size += name.length + Math.min(json.length, MOST_OF_FIELD);
    if (size > MOST) break;
    fields.push([name, isLong ? `${text.slice(0, MOST_OF_FIELD).toWellFormed()}…` : value]);
  }
  return Object.fromEntries(fields);
}

/** The trace as far as there is room for it. */
export function fitting(trace: Trace, room: TraceRoom): Trace {
  const size = JSON.stringify(trace).length;
  if (size > room.left) return {};
  room.left -= size;
  return trace;
}
