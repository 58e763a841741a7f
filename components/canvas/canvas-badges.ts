import { createContext, use, useMemo } from 'react';
import type { NodeResult, NodeStatus } from '@/contract/execution';
import type { NodeConnection } from '@/contract/workflows/workflow';
import type { ReferenceNames } from '@/components/client/queries/useReferenceNames';
import { createObservableStore, useStoreSlice, type ObservableStore } from '@/components/client/store';
import type { AgentPartCallSummary } from '@/components/graph/agent-part-calls';
import { connectionData, deliversAt, type ConnectionData } from './run/item-count';
import type { DefinitionChangeType } from '@/components/graph/compare';

/** What the result of a node is that did not run: what it would give, or the documented example of what it calls. */
export type PreviewKind = 'computed' | 'example';

/** What the cards show besides the definition. Each card subscribes to its own entry only. */
export interface CanvasBadges {
  results: ReadonlyMap<string, NodeResult>;
  /** The problems that the service found in nodes, as sentences. */
  issues: ReadonlyMap<string, string[]>;
  /** How nodes differ from another version. */
  changes: ReadonlyMap<string, DefinitionChangeType>;
  /** While a connection is dragged: the nodes that it can't end at, with the reason. */
  blocked: ReadonlyMap<string, string>;
  /** Nodes that no run reaches, with the reason. */
  disconnected: ReadonlyMap<string, string>;
  /** Probable mistakes in the expressions of nodes. */
  warnings: ReadonlyMap<string, string[]>;
  /** Nodes whose result is a preview, which no run has computed. */
  previewed: ReadonlyMap<string, PreviewKind>;
  /** Nodes that a preview did not run, because they act outside. */
  notRun: ReadonlySet<string>;
  /** Nodes whose output is pinned. */
  pinned: ReadonlySet<string>;
  /** The objects that nodes refer to, by id. */
  references: ReferenceNames;
  /** The id of the connection under the pointer, or with the focus. */
  pointed: string | undefined;
  /** The calls of the parts of agents in the run shown. */
  agentCalls: ReadonlyMap<string, AgentPartCallSummary>;
  /** The id of the agent over which a possible tool is dragged. */
  dropTarget: string | undefined;
}

export const EMPTY_CANVAS_BADGES: CanvasBadges = {
  results: new Map(),
  issues: new Map(),
  changes: new Map(),
  blocked: new Map(),
  disconnected: new Map(),
  warnings: new Map(),
  previewed: new Map(),
  notRun: new Set(),
  pinned: new Set(),
  references: {},
  pointed: undefined,
  agentCalls: new Map(),
  dropTarget: undefined,
};

export const CanvasBadgesContext = createContext<ObservableStore<CanvasBadges>>(
  createObservableStore(EMPTY_CANVAS_BADGES),
);

export const useNodeResult = (id: string) => useStoreSlice(use(CanvasBadgesContext), (marks) => marks.results.get(id));
export const useAgentPartCalls = (id: string) =>
  useStoreSlice(use(CanvasBadgesContext), (marks) => marks.agentCalls.get(id));
export const useIsDropTarget = (id: string): boolean =>
  useStoreSlice(use(CanvasBadgesContext), (marks) => marks.dropTarget === id);
export const useNodeIssues = (id: string) => useStoreSlice(use(CanvasBadgesContext), (marks) => marks.issues.get(id));
export const useNodeChangeBadge = (id: string) =>
  useStoreSlice(use(CanvasBadgesContext), (marks) => marks.changes.get(id));
export const useBlockedReason = (id: string) =>
  useStoreSlice(use(CanvasBadgesContext), (marks) => marks.blocked.get(id));
export const useNodeWarnings = (id: string) =>
  useStoreSlice(use(CanvasBadgesContext), (marks) => marks.warnings.get(id));
export const useIsNodePinned = (id: string) => useStoreSlice(use(CanvasBadgesContext), (marks) => marks.pinned.has(id));
export const useNodePreviewKind = (id: string | undefined) =>
  useStoreSlice(use(CanvasBadgesContext), ({ previewed }) => (id === undefined ? undefined : previewed.get(id)));
export const useIsNodeNotRun = (id: string) => useStoreSlice(use(CanvasBadgesContext), ({ notRun }) => notRun.has(id));
export const useNodeReference = (id: string | undefined) =>
  useStoreSlice(use(CanvasBadgesContext), ({ references }) => (id === undefined ? undefined : references[id]));
export const useDisconnectedReason = (id: string) =>
  useStoreSlice(use(CanvasBadgesContext), (marks) => marks.disconnected.get(id));

/** Status of a collapsed group, by priority: failures first, then nodes in progress. */
const GROUP_STATUS_PRIORITY = ['failed', 'paused', 'running', 'completed'] as const;

export function useGroupStatus(nodeIds: readonly string[]): NodeStatus | undefined {
  return useStoreSlice(use(CanvasBadgesContext), ({ results }) =>
    GROUP_STATUS_PRIORITY.find((status) => nodeIds.some((id) => results.get(id)?.status === status)),
  );
}

/** State of a connection in the run shown: unused, used, or leading to a node in progress. */
export type ConnectionFlow = 'idle' | 'carried' | 'active';

export function connectionFlow(results: CanvasBadges['results'], connection: NodeConnection): ConnectionFlow {
  const from = results.get(connection.sourceNode);
  const to = results.get(connection.targetNode)?.status;
  if (!from || !deliversAt(from, connection.sourcePort) || !to || to === 'skipped') return 'idle';
  return to === 'running' || to === 'paused' ? 'active' : 'carried';
}

export const useConnectionFlow = (connection: NodeConnection | undefined): ConnectionFlow =>
  useStoreSlice(use(CanvasBadgesContext), ({ results }) => (connection ? connectionFlow(results, connection) : 'idle'));

/** What passed a connection in the run shown; undefined: nothing did. */
export function useConnectionData(connection: NodeConnection | undefined): ConnectionData | undefined {
  const marks = use(CanvasBadgesContext);
  const from = useStoreSlice(marks, ({ results }) => connection && results.get(connection.sourceNode));
  const to = useStoreSlice(marks, ({ results }) => connection && results.get(connection.targetNode));
  return useMemo(() => connection && connectionData(from, to, connection.sourcePort), [connection, from, to]);
}

/** Whether the pointer or the focus is on a connection. */
export const useIsConnectionPointed = (id: string): boolean =>
  useStoreSlice(use(CanvasBadgesContext), ({ pointed }) => pointed === id);
