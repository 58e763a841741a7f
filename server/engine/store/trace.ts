import type { Try } from '@/contract/execution';

/** Diagnostic data of an attempt, besides its error. */
export type Trace = Pick<Try, 'parameters' | 'answer'>;

/** Remaining characters for the traces of a run; traces that exceed it are dropped. */
export interface TraceBudget {
  remaining: number;
}

export const traceBudget = (): TraceBudget => ({ remaining: 1024 * 1024 });

const MAX_FIELD = 1000;
const MAX_PARAMETERS = 4000;

/** Parameters for display: long fields are truncated to the beginning of their text, excess fields are dropped. */
export function shortenParameters(parameters: Record<string, unknown>): Record<string, unknown> {
  const fields: [string, unknown][] = [];
  let size = 0;
  for (const [name, value] of Object.entries(parameters)) {
    const json = JSON.stringify(value) ?? 'null';
    const isLong = json.length > MAX_FIELD;
    const text = typeof value === 'string' ? value : json;
    size += name.length + Math.min(json.length, MAX_FIELD);
    if (size > MAX_PARAMETERS) break;
    fields.push([name, isLong ? `${text.slice(0, MAX_FIELD).toWellFormed()}…` : value]);
  }
  return Object.fromEntries(fields);
}

/** The trace, or an empty one if it exceeds the remaining characters. */
export function fitTrace(trace: Trace, budget: TraceBudget): Trace {
  const size = JSON.stringify(trace).length;
  if (size > budget.remaining) return {};
  budget.remaining -= size;
  return trace;
}
