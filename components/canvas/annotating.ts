import { createContext, useEffect, useMemo, useRef } from 'react';
import type { Definition, NodeGroup, Note } from '@/contract/workflow';
import { changeGroup } from './groups';
import { changeNote } from './notes';

/** Changes of notes and groups from where they are drawn. */
export interface Annotating {
  changeNote(id: string, change: Partial<Note>): void;
  changeGroup(id: string, change: Partial<NodeGroup>): void;
}

/** Undefined: the canvas is for looking only. */
export const AnnotatingContext = createContext<Annotating | undefined>(undefined);

/** Always the same object, so that nothing is rendered anew when the definition changes. */
export function useAnnotating(
  definition: Definition,
  onChange: ((definition: Definition, intent?: string) => void) | undefined,
): Annotating | undefined {
  const latest = useRef({ definition, onChange });
  useEffect(() => {
    latest.current = { definition, onChange };
  });
  const isEditable = onChange !== undefined;
  return useMemo(() => {
    if (!isEditable) return undefined;
    const tell = (id: string, change: Partial<Note & NodeGroup>, next: Definition) => {
      // Letters typed one after another are one step back.
      const isTyped = change.text !== undefined || change.name !== undefined;
      latest.current.onChange?.(next, isTyped ? `words of ${id}` : undefined);
    };
    return {
      changeNote: (id, change) => tell(id, change, changeNote(latest.current.definition, id, change)),
      changeGroup: (id, change) => tell(id, change, changeGroup(latest.current.definition, id, change)),
    };
  }, [isEditable]);
}
