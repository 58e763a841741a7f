import { createContext, useEffect, useMemo, useRef } from 'react';
import type { Definition, NodeGroup, Note } from '@/contract/workflows/workflow';
import { changeGroup } from '@/components/graph/groups';
import { changeNote } from '@/components/graph/notes';

/** Changes to notes and groups, for the components that draw them. */
export interface Annotating {
  changeNote(id: string, change: Partial<Note>): void;
  changeGroup(id: string, change: Partial<NodeGroup>): void;
}

/** Undefined: the canvas is read-only. */
export const AnnotatingContext = createContext<Annotating | undefined>(undefined);

/** Returns a stable object, so that context consumers don't render again when the definition changes. */
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
      // Consecutive typing is one undo step.
      const isTyped = change.text !== undefined || change.name !== undefined;
      latest.current.onChange?.(next, isTyped ? `text of ${id}` : undefined);
    };
    return {
      changeNote: (id, change) => tell(id, change, changeNote(latest.current.definition, id, change)),
      changeGroup: (id, change) => tell(id, change, changeGroup(latest.current.definition, id, change)),
    };
  }, [isEditable]);
}
