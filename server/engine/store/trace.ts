import type { NodeAttempt } from '@/contract/execution';

/** Diagnostic data of an attempt, besides its error. */
export type AttemptTrace = Pick<NodeAttempt, 'parameters' | 'answer'>;

/** The characters that remain for the traces of a run; traces that exceed them are dropped. */
export interface TraceBudget {
  remaining: number;
}

export const createTraceBudget = (): TraceBudget => ({ remaining: 1024 * 1024 });

const MAX_FIELD_CHARACTERS = 1000;
const MAX_PARAMETER_CHARACTERS = 4000;

/** Parameters for display: long fields are truncated to the beginning of their text, excess fields are dropped. */
export function truncateParameters(parameters: Record<string, unknown>): Record<string, unknown> {
  const fields: [string, unknown][] = [];
  let size = 0;
  for (const [name, value] of Object.entries(parameters)) {
    const json = JSON.stringify(value) ?? 'null';
    const isLong = json.length > MAX_FIELD_CHARACTERS;
    const text = typeof value === 'string' ? value : json;
    size += name.length + Math.min(json.length, MAX_FIELD_CHARACTERS);
    if (size > MAX_PARAMETER_CHARACTERS) break;
    fields.push([name, isLong ? `${text.slice(0, MAX_FIELD_CHARACTERS).toWellFormed()}…` : value]);
  }
  return Object.fromEntries(fields);
}

/** The trace, or an empty one if it exceeds the remaining characters. */
export function fitTraceToBudget(trace: AttemptTrace, budget: TraceBudget): AttemptTrace {
  const size = JSON.stringify(trace).length;
  if (size > budget.remaining) return {};
  budget.remaining -= size;
  return trace;
}
