import { createContext, use } from 'react';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';

/** A start node at which runs can begin. */
export interface StartChoice {
  id: string;
  name: string;
}

/** The enabled start nodes of a definition by their names. The ids tell those with the same name apart. */
export function listStartChoices({ nodes }: Pick<WorkflowDefinition, 'nodes'>): StartChoice[] {
  const starts = nodes.flatMap(({ id, type, disabled, name }) =>
    type === 'start' && !disabled ? [{ id, name: name?.trim() || 'Start' }] : [],
  );
  return starts.map(({ id, name }) => {
    const isShared = starts.some((other) => other.id !== id && other.name === name);
    return { id, name: isShared ? `${name} (${id})` : name };
  });
}

/** The start nodes of the workflow in the editor. Empty outside of it. */
export const StartChoicesContext = createContext<readonly StartChoice[]>([]);

/**
 * Where a new trigger or test begins: at the first of several start nodes. Null: there is one, so that nothing has to
 * be chosen.
 */
export function useInitialStart(): string | null {
  const starts = use(StartChoicesContext);
  return starts.length > 1 ? (starts[0]?.id ?? null) : null;
}

const runStartKey = (workflowId: string) => `weft.run-start.${workflowId}`;

/**
 * The start node at which a manual run begins: the one that the person chose last, if it is still there, else the
 * first. Undefined: there is one at most, so that there is no choice.
 */
export function findRunStart(workflowId: string, starts: readonly StartChoice[]): StartChoice | undefined {
  if (starts.length < 2) return undefined;
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem(runStartKey(workflowId));
  } catch {
    // Without storage nothing is remembered.
  }
  return starts.find(({ id }) => id === chosen) ?? starts[0];
}

/** Remembers the start node of manual runs. Disabled or full storage is ignored. */
export function rememberRunStart(workflowId: string, startNodeId: string): void {
  try {
    localStorage.setItem(runStartKey(workflowId), startNodeId);
  } catch {
    return;
  }
}
