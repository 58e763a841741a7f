import { canvasIssuesByNode, useDraft, useDraftStore } from '../draft/draft';

/**
 * What is wrong with the fields of a node, by path: fields of its config without `config.`, others as they are.
 * `marked`: the field that a check led to.
 */
export function useNodeFieldErrors(nodeId: string, marked: MarkedFieldError | undefined): ReadonlyMap<string, string> {
  const store = useDraftStore();
  // Subscribes to the issues; their assignment to nodes depends on the rest of the draft, too.
  useDraft((draft) => draft.issues);
  const own = canvasIssuesByNode(store.get()).get(nodeId) ?? [];
  const all = marked ? [marked, ...own] : own;
  return new Map(all.map(({ field, message }) => [field.replace(/^config\.?/, ''), message]));
}

/** A field with what is wrong, by its path in the node: `config.url`. */
export interface MarkedFieldError {
  field: string;
  message: string;
}
