import type { FieldIssue } from '@/contract/error-response';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { useNodeTypes } from '@/components/client/queries/useNodeTypes';
import { indexNodeTypes } from '@/components/graph/cards-and-edges';
import { firstIssueSentence } from './locate-issue';

/** Tells the first issue of a node as a sentence; undefined: no issue belongs to a node. */
export function useIssueSentence(): (definition: WorkflowDefinition, issues: FieldIssue[]) => string | undefined {
  const { data = [] } = useNodeTypes();
  return (definition, issues) => firstIssueSentence(definition, issues, indexNodeTypes(data));
}
