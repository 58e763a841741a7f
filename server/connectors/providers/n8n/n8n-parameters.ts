import type { ConnectorPaging, DataOperation } from '../../operation';
import { booleanParameter, countParameter, listedLineParameter } from '../../parameters';

// https://docs.n8n.io/api/
export const n8nLimits = 'Those of the server that it runs on.';
export const n8nCursorPaging: ConnectorPaging = { kind: 'token', at: 'nextCursor', query: 'cursor' };
export const n8nPageSize = countParameter('Items a page', 250).optional().describe('At most 250; default 100');
export const n8nWorkflowId = listedLineParameter('Workflow', 'workflows', [], 100).describe('Id of the workflow');
export const n8nPinnedFlag = booleanParameter('Without pinned data').optional().describe('Leaves out pinned data');
export const n8nProjectId = listedLineParameter('Project', 'projects', [], 100)
  .optional()
  .describe('Id of a project; projects need a paid plan');

/** An operation that lists things of n8n, page by page. */
export const n8nListOperation = (operation: Omit<DataOperation, 'method' | 'items' | 'paging'>): DataOperation => ({
  ...operation,
  limits: n8nLimits,
  method: 'GET',
  inQuery: { ...operation.inQuery, limit: n8nPageSize },
  items: 'data',
  paging: n8nCursorPaging,
});

export const n8nWorkflowExample = {
  id: '2tUt1wbLX592XDdX',
  name: 'New orders',
  active: true,
  createdAt: '2026-01-31T08:15:30.000Z',
  updatedAt: '2026-01-31T08:15:30.000Z',
  nodes: [{ id: '1', name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0] }],
  connections: {},
  settings: { executionOrder: 'v1' },
  tags: [{ id: '1', name: 'Production' }],
};
