import { databasePool } from '@/server/platform/db/client';
import { retryWhileUnavailable } from '@/server/platform/db/failures/retry-while-unavailable';
import { parseUnlessLarge } from '@/server/evaluation/expressions/large-json';
import { loadedValueMemory, unwrittenResults } from '../../load/memory';
import { loadLoopItem } from './loop-items';

/** References to large values of a run that are in the database only. */
export interface OffloadedRefs {
  /** Paths of nodes whose outputs are referenced. */
  outputs: string[];
  /** The run's own input is referenced. */
  isInput: boolean;
  /** A child run whose output is referenced. */
  childId: string | null;
  /** A loop's item that is referenced. */
  item: { loop: string; index: number } | null;
  /** Characters of the JSON of all these values; an upper bound for an item. */
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

/**
 * Loads values until `release`. Waits for memory (`loadedValueMemory`), and retries while the database is unavailable.
 */
export async function loadOffloadedValues(
  { id: executionId, workspaceId }: { id: string; workspaceId: string },
  refs: OffloadedRefs,
  signal: AbortSignal,
): Promise<LoadedValues> {
  const { outputs: paths, isInput, childId, item } = refs;
  const release = await loadedValueMemory.acquire(workspaceId, refs.bytes);
  try {
    // Backpressure: results computed from these values may be as large again.
    await unwrittenResults.waitUntilBelow();
    const outputs =
      paths.length > 0 ? await retryWhileUnavailable(signal, () => loadNodeOutputs(executionId, paths)) : new Map();
    const input = isInput ? await retryWhileUnavailable(signal, () => loadRunValue('input', executionId)) : undefined;
    const child =
      childId === null ? undefined : await retryWhileUnavailable(signal, () => loadRunValue('output', childId));
    const value = item
      ? await retryWhileUnavailable(signal, () => loadLoopItem(executionId, item.loop, item.index))
      : undefined;
    return { outputs, input, child, item: value, release };
  } catch (error) {
    release();
    throw error;
  }
}

async function loadNodeOutputs(executionId: string, paths: string[]): Promise<Map<string, unknown>> {
  const { rows } = await databasePool().query<{ node_id: string; output: string }>({
    name: 'engine.large',
    text: 'SELECT node_id, output::text FROM node_result WHERE execution_id = $1 AND node_id = ANY($2)',
    values: [executionId, paths],
  });
  return new Map(rows.map((row) => [row.node_id, parseUnlessLarge(row.output)]));
}

async function loadRunValue(field: 'input' | 'output', id: string): Promise<unknown> {
  const { rows } = await databasePool().query<{ value: string | null }>({
    name: `engine.${field}-of-run`,
    text: `SELECT ${field}::text AS value FROM execution WHERE id = $1`,
    values: [id],
  });
  return parseUnlessLarge(rows[0]?.value ?? 'null');
}

/** The ports that completed nodes took, by their paths. */
export const loadTakenPorts = (executionId: string, paths: string[], signal: AbortSignal) =>
  retryWhileUnavailable(signal, async () => {
    const { rows } = await databasePool().query<{ node_id: string; port: string | null }>({
      name: 'engine.ports',
      text: `SELECT node_id, port FROM node_result WHERE execution_id = $1 AND node_id = ANY($2) AND status = 'completed'`,
      values: [executionId, paths],
    });
    return new Map(rows.map((row) => [row.node_id, row.port]));
  });
