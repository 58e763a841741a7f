import { pool } from '@/server/db/client';
import { retryWhileUnavailable } from '@/server/db/failures/retry-while-unavailable';
import { fromJson } from '@/server/expressions/large-json';
import { loaded, unwritten } from '../../load/memory';
import { loadItemPage } from './loop-items';

/** References to large values of a run that are in the database only. */
export interface OffloadedRefs {
  /** Paths of nodes whose outputs are referenced. */
  outputs: string[];
  /** The run's own input is referenced. */
  isInput: boolean;
  /** A child run whose output is referenced. */
  childId: string | null;
  /** An item of a loop. */
  item: { loop: string; index: number } | null;
  /** Characters of their JSON; an upper bound for an item. */
  bytes: number;
}

/** The loaded values. */
export interface LoadedValues {
  outputs: ReadonlyMap<string, unknown>;
  input: unknown;
  child: unknown;
  item: unknown;
  release(): void;
}

/** Loads values until `release`. Waits for memory (`loaded`), and retries while the database is unavailable. */
export async function load(
  { id: executionId, workspaceId }: { id: string; workspaceId: string },
  refs: OffloadedRefs,
  signal: AbortSignal,
): Promise<LoadedValues> {
  const { outputs: paths, isInput, childId, item } = refs;
  const release = await loaded.take(workspaceId, refs.bytes);
  try {
    // Backpressure: results computed from these values may be as large again.
    await unwritten.isBelow();
    const outputs =
      paths.length > 0 ? await retryWhileUnavailable(signal, () => outputsOf(executionId, paths)) : new Map();
    const input = isInput ? await retryWhileUnavailable(signal, () => ofRun('input', executionId)) : undefined;
    const child = childId === null ? undefined : await retryWhileUnavailable(signal, () => ofRun('output', childId));
    const value = item
      ? await retryWhileUnavailable(signal, () => loadItemPage(executionId, item.loop, item.index))
      : undefined;
    return { outputs, input, child, item: value, release };
  } catch (error) {
    release();
    throw error;
  }
}

async function outputsOf(executionId: string, paths: string[]): Promise<Map<string, unknown>> {
  const { rows } = await pool().query<{ node_id: string; output: string }>({
    name: 'engine.large',
    text: 'SELECT node_id, output::text FROM node_result WHERE execution_id = $1 AND node_id = ANY($2)',
    values: [executionId, paths],
  });
  return new Map(rows.map((row) => [row.node_id, fromJson(row.output)]));
}

async function ofRun(field: 'input' | 'output', id: string): Promise<unknown> {
  const { rows } = await pool().query<{ value: string | null }>({
    name: `engine.${field}-of-run`,
    text: `SELECT ${field}::text AS value FROM execution WHERE id = $1`,
    values: [id],
  });
  return fromJson(rows[0]?.value ?? 'null');
}

/** The ports that completed nodes took, by their paths. */
export const loadPorts = (executionId: string, paths: string[], signal: AbortSignal) =>
  retryWhileUnavailable(signal, async () => {
    const { rows } = await pool().query<{ node_id: string; port: string | null }>({
      name: 'engine.ports',
      text: `SELECT node_id, port FROM node_result WHERE execution_id = $1 AND node_id = ANY($2) AND status = 'completed'`,
      values: [executionId, paths],
    });
    return new Map(rows.map((row) => [row.node_id, row.port]));
  });
