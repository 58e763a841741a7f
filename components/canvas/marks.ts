import { createContext, use } from 'react';
import type { FieldError } from '@/contract/error';
import type { NodeResult, NodeStatus } from '@/contract/execution';
import type { Connection } from '@/contract/workflow';
import { createStore, useStore, type Store } from '../client/store';
import type { Change } from './compare';

/** What is shown on the nodes beside their definition. Each card watches its own entry alone. */
export interface Marks {
  results: ReadonlyMap<string, NodeResult>;
  issues: ReadonlyMap<string, FieldError[]>;
  /** How nodes differ from another version. */
  changes: ReadonlyMap<string, Change>;
  /** While a connection is drawn: the nodes that it can't lead to, and why. */
  blocked: ReadonlyMap<string, string>;
  /** Nodes that no run gets to, and why. */
  strays: ReadonlyMap<string, string>;
}

export const NO_MARKS: Marks = {
  results: new Map(),
  issues: new Map(),
  changes: new Map(),
  blocked: new Map(),
  strays: new Map(),
};

export const MarksContext = createContext<Store<Marks>>(createStore(NO_MARKS));

export const useNodeResult = (id: string) => useStore(use(MarksContext), (marks) => marks.results.get(id));
export const useNodeIssues = (id: string) => useStore(use(MarksContext), (marks) => marks.issues.get(id));
export const useNodeChange = (id: string) => useStore(use(MarksContext), (marks) => marks.changes.get(id));
export const useBlock = (id: string) => useStore(use(MarksContext), (marks) => marks.blocked.get(id));
export const useStray = (id: string) => useStore(use(MarksContext), (marks) => marks.strays.get(id));

/** What a collapsed group is to say of its nodes: the worst first, then what is under way. */
const LOUDEST = ['failed', 'paused', 'running', 'completed'] as const;

export function useGroupStatus(nodeIds: readonly string[]): NodeStatus | undefined {
  return useStore(use(MarksContext), ({ results }) =>
    LOUDEST.find((status) => nodeIds.some((id) => results.get(id)?.status === status)),
  );
}

/** What a connection did in the run shown: nothing yet, delivered, or delivers to a node that is at work. */
export function useFlow(connection: Connection | undefined): 'idle' | 'carried' | 'active' {
  return useStore(use(MarksContext), ({ results }) => {
    if (!connection) return 'idle';
    const from = results.get(connection.sourceNode);
    const to = results.get(connection.targetNode)?.status;
    if (from?.port !== connection.sourcePort || !to || to === 'skipped') return 'idle';
    return to === 'running' || to === 'paused' ? 'active' : 'carried';
  });
}

/** How many items a connection carried in the run shown; undefined: what it carried is no list. */
export function useItemCount(connection: Connection | undefined): number | undefined {
  return useStore(use(MarksContext), ({ results }) => {
    const from = connection && results.get(connection.sourceNode);
    const isCarried = from !== undefined && from.port === connection?.sourcePort;
    return isCarried && Array.isArray(from.output) ? from.output.length : undefined;
  });
}
