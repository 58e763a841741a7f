import type { ReactFlowInstance } from '@xyflow/react';

export const FIT_VIEW_OPTIONS = { padding: '48px', maxZoom: 1 } as const;

/** The options of `fitView` for the whole workflow, with the cards that the picture of the overview shows. */
export const fitWorkflowOptions = (flow: ReactFlowInstance) => ({
  ...FIT_VIEW_OPTIONS,
  includeHiddenNodes: true,
  nodes: flow.getNodes().filter((node) => !node.hidden || 'isPictured' in node),
});
