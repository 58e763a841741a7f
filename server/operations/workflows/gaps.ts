import { z } from 'zod';
import { WorkflowGaps } from '@/contract/workflows/workflow';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonReply, readEffect } from '@/server/api/operation-parts';
import { gapsOf } from '@/server/workflow/readiness';
import { findWorkflow, presentWorkflow } from './content';
import { usageGaps } from './references';
import { lastSaved } from './drafts/version-rows';

export const gaps = operation({
  id: 'workflows.gaps',
  method: 'GET',
  path: '/api/workflows/{id}/gaps',
  summary: 'List what a workflow needs before it can run',
  description:
    'All reasons to refuse publishing or running the version saved last, by the paths of its definition. Includes ' +
    'the credentials and workflows that its runs may not use: those that the user who published it may not use or, while ' +
    'it waits to be published or activated, those that the caller may not use.',
  tag: 'Workflows',
  access: memberAccess('workflow', 'read'),
  effect: readEffect(),
  params: z.strictObject({ id: z.string() }),
  reply: jsonReply(WorkflowGaps),
  async run({ db, caller }, { params: { id } }) {
    const row = await findWorkflow(db, caller.workspaceId, id);
    const { version, definition } = await lastSaved(db, row);
    const gaps = await gapsOf(db, caller.workspaceId, definition);
    return { version, gaps: [...gaps, ...(await usageGaps(db, caller, presentWorkflow(row), definition))] };
  },
});
