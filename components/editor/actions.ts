import { createContext, use } from 'react';
import type { LooseEnd } from '../canvas/splice';

/** What a node's own forms can ask of the editor around them. */
export interface Actions {
  /** Opens what starts the workflow by itself. */
  showTriggers(): void;
  /** Asks for the step that follows from a port. */
  continueFrom(end: LooseEnd): void;
}

export const ActionsContext = createContext<Actions | undefined>(undefined);

export function useActions(): Actions {
  const actions = use(ActionsContext);
  if (!actions) throw new Error('There is no editor around this component');
  return actions;
}
