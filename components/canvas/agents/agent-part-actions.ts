import { createContext } from 'react';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';

/** How the parts of agents are drawn and edited. */
export interface AgentPartActions {
  /** The node types that tools are drawn as. */
  catalogue: NodeTypesByName;
  /** Absent: the canvas is read-only. */
  edits?: {
    /** The plus button of an agent was pressed. */
    onAdd(agentId: string, kind: 'tool' | 'memory'): void;
    onRemove(partId: string): void;
  };
}

export const AgentPartContext = createContext<AgentPartActions>({ catalogue: new Map() });
