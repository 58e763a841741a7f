import { z } from 'zod';
import { WorkflowGaps } from '@/contract/workflow';
import { operation } from '../api/operation';
import { gapsOf } from '../engine/readiness';
import { seen } from './workflow-content';
import { lastSaved } from './workflow-versions';

export const gaps = operation({
  id: 'workflows.gaps',
  method: 'GET',
  path: '/api/workflows/{id}/gaps',
  summary: 'What a workflow lacks to be run',
  description:
    'All that publishing or running it as it was saved last would be refused for, by the paths of its definition.',
  tag: 'Workflows',
  access: { resource: 'workflow', action: 'read' },
  effect: 'read',
  params: z.strictObject({ id: z.string() }),
  output: WorkflowGaps,
  async run({ db, caller }, { params: { id } }) {
    const { version, definition } = await lastSaved(db, await seen(db, caller.workspaceId, id));
    return { version, gaps: await gapsOf(db, caller.workspaceId, definition) };
  },
});
