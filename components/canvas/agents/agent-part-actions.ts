import { createContext } from 'react';
import type { AgentPart } from '@/components/graph/agent-parts';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';

/** How the parts of agents are drawn and edited. */
export interface AgentPartActions {
  /** The node types that tools are drawn as. */
  catalogue: NodeTypesByName;
  /** Absent: the canvas is read-only. */
  edits?: {
    /** The plus button of an agent was pressed. */
    onAdd(agentId: string, kind: AgentPart['kind']): void;
    onRemove(partId: string): void;
    /** A tool was dropped on another one. */
    onMove(partId: string, targetId: string): void;
  };
}

export const AgentPartContext = createContext<AgentPartActions>({ catalogue: new Map() });
