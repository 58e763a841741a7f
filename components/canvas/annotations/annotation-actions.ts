import { createContext, useEffect, useMemo, useRef } from 'react';
import type { WorkflowDefinition, NodeGroup, CanvasNote } from '@/contract/workflows/workflow';
import { changeGroup } from '@/components/graph/groups';
import { changeNote } from '@/components/graph/notes';

/** Changes to notes and groups, for the components that draw them. */
export interface AnnotationActions {
  changeNote(id: string, change: Partial<CanvasNote>): void;
  changeGroup(id: string, change: Partial<NodeGroup>): void;
}

/** Undefined: the canvas is read-only. */
export const AnnotationContext = createContext<AnnotationActions | undefined>(undefined);

/** Returns a stable object, so that context consumers don't render again when the definition changes. */
export function useAnnotationActions(
  definition: WorkflowDefinition,
  onChange: ((definition: WorkflowDefinition, intent?: string) => void) | undefined,
): AnnotationActions | undefined {
  const latest = useRef({ definition, onChange });
  useEffect(() => {
    latest.current = { definition, onChange };
  });
  const isEditable = onChange !== undefined;
  return useMemo(() => {
    if (!isEditable) return undefined;
    const tell = (id: string, change: Partial<CanvasNote & NodeGroup>, next: WorkflowDefinition) => {
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
