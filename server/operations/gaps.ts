import { z } from 'zod';
import { WorkflowGaps } from '@/contract/workflow';
import { operation } from '../api/operation';
import { gapsOf } from '../engine/readiness';
import { seen, shown } from './workflow-content';

export const gaps = operation({
  id: 'workflows.gaps',
  method: 'GET',
  path: '/api/workflows/{id}/gaps',
  summary: 'What a workflow lacks to be run',
  description: 'All that activating or running it as it is now would be refused for, by the paths of its definition.',
  tag: 'Workflows',
  access: { resource: 'workflow', action: 'read' },
  effect: 'read',
  params: z.strictObject({ id: z.string() }),
  output: WorkflowGaps,
  async run({ db, caller }, { params: { id } }) {
    const { version, definition } = shown(await seen(db, caller.workspaceId, id));
    return { version, gaps: await gapsOf(db, caller.workspaceId, definition) };
  },
});
