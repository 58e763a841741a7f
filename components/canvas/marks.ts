import { createContext, use } from 'react';
import type { NodeResult, NodeStatus } from '@/contract/execution';
import type { Connection } from '@/contract/workflows/workflow';
import type { NamedReferences } from '@/components/client/queries/useReferences';
import { createStore, useStore, type Store } from '@/components/client/store';
import { itemCount } from './run/item-count';
import type { Change } from '@/components/graph/compare';

/** What the cards show besides the definition. Each card subscribes to its own entry only. */
export interface Marks {
  results: ReadonlyMap<string, NodeResult>;
  /** What the service refused in a node, as sentences. */
  issues: ReadonlyMap<string, string[]>;
  /** How nodes differ from another version. */
  changes: ReadonlyMap<string, Change>;
  /** While a connection is dragged: the nodes that it can't end at, with the reason. */
  blocked: ReadonlyMap<string, string>;
  /** Nodes that no run reaches, with the reason. */
  disconnected: ReadonlyMap<string, string>;
  /** What is probably a mistake in the expressions of a node. */
  warnings: ReadonlyMap<string, string[]>;
  /** Nodes whose output is pinned. */
  pinned: ReadonlySet<string>;
  /** What nodes name, by id. */
  references: NamedReferences;
}

export const NO_MARKS: Marks = {
  results: new Map(),
  issues: new Map(),
  changes: new Map(),
  blocked: new Map(),
  disconnected: new Map(),
  warnings: new Map(),
  pinned: new Set(),
  references: {},
};

export const MarksContext = createContext<Store<Marks>>(createStore(NO_MARKS));

export const useNodeResult = (id: string) => useStore(use(MarksContext), (marks) => marks.results.get(id));
export const useNodeIssues = (id: string) => useStore(use(MarksContext), (marks) => marks.issues.get(id));
export const useNodeChange = (id: string) => useStore(use(MarksContext), (marks) => marks.changes.get(id));
export const useBlock = (id: string) => useStore(use(MarksContext), (marks) => marks.blocked.get(id));
export const useWarnings = (id: string) => useStore(use(MarksContext), (marks) => marks.warnings.get(id));
export const useIsPinned = (id: string) => useStore(use(MarksContext), (marks) => marks.pinned.has(id));
export const useReference = (id: string | undefined) =>
  useStore(use(MarksContext), ({ references }) => (id === undefined ? undefined : references[id]));
export const useDisconnected = (id: string) => useStore(use(MarksContext), (marks) => marks.disconnected.get(id));

/** Status of a collapsed group, by priority: failures first, then nodes in progress. */
const STATUS_PRIORITY = ['failed', 'paused', 'running', 'completed'] as const;

export function useGroupStatus(nodeIds: readonly string[]): NodeStatus | undefined {
  return useStore(use(MarksContext), ({ results }) =>
    STATUS_PRIORITY.find((status) => nodeIds.some((id) => results.get(id)?.status === status)),
  );
}

/** State of a connection in the run shown: unused, used, or leading to a node in progress. */
export type Flow = 'idle' | 'carried' | 'active';

export function flowOf(results: Marks['results'], connection: Connection): Flow {
  const from = results.get(connection.sourceNode);
  const to = results.get(connection.targetNode)?.status;
  if (from?.port !== connection.sourcePort || !to || to === 'skipped') return 'idle';
  return to === 'running' || to === 'paused' ? 'active' : 'carried';
}

export const useFlow = (connection: Connection | undefined): Flow =>
  useStore(use(MarksContext), ({ results }) => (connection ? flowOf(results, connection) : 'idle'));

/** Number of items that passed a connection in the run shown; undefined if the output holds no list. */
export function useItemCount(connection: Connection | undefined): number | undefined {
  return useStore(use(MarksContext), ({ results }) => {
    const from = connection && results.get(connection.sourceNode);
    const isCarried = from !== undefined && from.port === connection?.sourcePort;
    return isCarried ? itemCount(from.output) : undefined;
  });
}
