import { definitionAtPath, replaceBodyAtPath } from '@/components/graph/body';
import { changeDefinition, useDraft, useDraftStore } from '../draft/draft';

/** The marks at converted fields that nobody has looked at. */
export function useReviewMarks() {
  const store = useDraftStore();
  const definition = useDraft((draft) => draft.definition);
  const marksOf = (path: string[], nodeId: string) =>
    definitionAtPath(definition, path).nodes.find(({ id }) => id === nodeId)?.unreviewed ?? [];
  return {
    isMarked: (path: string[], nodeId: string, field: string): boolean =>
      marksOf(path, nodeId).some((mark) => mark.field === field),
    /** Somebody has looked at the field. */
    removeMark: (path: string[], nodeId: string, field: string) => {
      const draft = store.get();
      const inner = definitionAtPath(draft.definition, path);
      const nodes = inner.nodes.map(({ unreviewed = [], ...node }) => {
        const left = node.id === nodeId ? unreviewed.filter((mark) => mark.field !== field) : unreviewed;
        return left.length > 0 ? { ...node, unreviewed: left } : node;
      });
      const next = replaceBodyAtPath(draft.definition, path, { ...inner, nodes });
      store.set({
        ...changeDefinition(draft, next),
        issues: draft.issues,
      });
    },
  };
}
