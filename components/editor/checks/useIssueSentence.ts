import type { FieldError } from '@/contract/error';
import type { Definition } from '@/contract/workflows/workflow';
import { useNodeTypes } from '@/components/client/queries/useNodeTypes';
import { catalogueOf } from '@/components/graph/flow';
import { issueSentence } from './locate';

/** Tells the first issue of a node as a sentence; undefined: no issue belongs to a node. */
export function useIssueSentence(): (definition: Definition, issues: FieldError[]) => string | undefined {
  const { data = [] } = useNodeTypes();
  return (definition, issues) => issueSentence(definition, issues, catalogueOf(data));
}
