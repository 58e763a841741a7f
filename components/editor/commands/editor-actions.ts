import { createContext, use } from 'react';
import type { OpenConnectionEnd } from '@/components/graph/edits/insert-nodes';

/** Actions of the editor that the forms of a node can call. */
export interface EditorActions {
  /** Pins the output of a node on the canvas, or unpins it (undefined), as one undo step. */
  pin(nodeId: string, output: unknown): void;
  /** Shows a part of an agent in the place of its agent: in the dialog, or in the panel. */
  showPart(partId: string): void;
  /** Removes a part of an agent, and shows the agent in its place. */
  removePart(partId: string): void;
  /** Opens the triggers panel. */
  showTriggers(): void;
  /** Opens “Build with AI” with a text to begin with; undefined: the person may not use language models. */
  build: ((instruction: string) => void) | undefined;
  /** Opens the palette for the node after a port. */
  continueFrom(end: OpenConnectionEnd): void;
}

export const EditorActionsContext = createContext<EditorActions | undefined>(undefined);

export function useEditorActions(): EditorActions {
  const actions = use(EditorActionsContext);
  if (!actions) throw new Error('There is no editor around this component');
  return actions;
}
