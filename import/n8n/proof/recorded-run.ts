import { asN8nObject, asN8nObjects, cutWellFormed, type N8nObject } from '../file';

/** What a node of n8n gave in a run. */
export interface RecordedNodeRun {
  /** The fields of its items, for each output. A node that ran several times has the items of all its times. */
  outputs: unknown[][];
  /** The message of its error; undefined: it has not failed. */
  error: string | undefined;
}

/** A run of n8n, as far as a proof needs it. */
export interface RecordedRun {
  id: string;
  startedAt: string;
  hasFailed: boolean;
  nodes: ReadonlyMap<string, RecordedNodeRun>;
  /** The nodes whose output was pinned in the run. */
  pinned: ReadonlySet<string>;
}

/** The fields of items, without files and origin. Anything else in the list is no item. */
export const readItemFields = (items: unknown): unknown[] =>
  asN8nObjects(items).flatMap((item) => ('json' in item ? [item['json']] : []));

/** Reads an execution as the API of n8n gives it; undefined: it has no data. */
export function readRecordedRun(run: unknown): RecordedRun | undefined {
  const { id, startedAt, status, data } = asN8nObject(run);
  const result = asN8nObject(asN8nObject(data)['resultData']);
  const runData = Object.entries(asN8nObject(result['runData']));
  if (runData.length === 0) return undefined;
  return {
    id: cutWellFormed(String(id), 50),
    startedAt: typeof startedAt === 'string' ? cutWellFormed(startedAt, 16).replace('T', ' ') : '',
    hasFailed: status === 'error' || result['error'] !== undefined,
    nodes: new Map(runData.map(([name, times]) => [name, readNodeRun(asN8nObjects(times))])),
    pinned: new Set(Object.keys(asN8nObject(result['pinData']))),
  };
}

function readNodeRun(times: readonly N8nObject[]): RecordedNodeRun {
  const outputs: unknown[][] = [];
  let error: string | undefined;
  for (const time of times) {
    const main = asN8nObject(time['data'])['main'];
    for (const [index, items] of (Array.isArray(main) ? (main as unknown[]) : []).entries()) {
      const list = (outputs[index] ??= []);
      for (const fields of readItemFields(items)) list.push(fields);
    }
    const { message } = asN8nObject(time['error']);
    if (time['error'] && time['executionStatus'] !== 'success')
      error = typeof message === 'string' ? cutWellFormed(message, 2000) : 'It failed in n8n.';
  }
  return { outputs: Array.from(outputs, (list) => list ?? []), error };
}
