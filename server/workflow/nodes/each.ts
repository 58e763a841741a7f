import type { WorkflowNode } from '@/contract/workflows/workflow';
import type { NodeTypeDefinition } from './node-type';

/**
 * Whether nodes of a type can run once for each item of a list. Start nodes have no list, loops have items of their
 * own, a run has one response, and an address of a call belongs to one node.
 */
export const mayRunForEach = ({
  hasInput,
  inner,
  answersCaller,
  takesCall,
  endsForm,
}: Pick<NodeTypeDefinition, 'hasInput' | 'inner' | 'answersCaller' | 'takesCall' | 'endsForm'>): boolean =>
  hasInput && inner === undefined && !answersCaller && !takesCall && !endsForm;

/** Whether a node runs once for each item of a list. A disabled node passes its input on as a whole. */
export const runsForEach = ({ each, disabled }: Pick<WorkflowNode, 'each' | 'disabled'>): boolean =>
  each !== undefined && !disabled;
