import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';

/** What a new workflow begins with. */
export const createStarterDefinition = (language: ExpressionLanguage): WorkflowDefinition => ({
  nodes: [{ id: 'start', type: 'start', position: { x: 0, y: 0 }, config: {} }],
  connections: [],
  language,
});
