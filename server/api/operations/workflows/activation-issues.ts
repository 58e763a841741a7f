import { z } from 'zod';
import { ActivationIssues } from '@/contract/workflows/activation-issues';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonReply, readEffect } from '@/server/api/operation/operation-parts';
import { unreviewedFieldIssues } from '@/server/workflow/definition/unreviewed';
import { activationIssues } from '@/server/workflow/definition/readiness';
import { findWorkflow, toWorkflowResponse } from './workflow-rows';
import { findUsageIssues } from './references';
import { findTriggerGaps } from './start-nodes';
import { readLastSavedVersion } from './drafts/version-rows';

export const activationIssuesOperation = defineOperation({
  id: 'workflows.gaps',
  method: 'GET',
  path: '/api/workflows/{id}/gaps',
  summary: 'List what a workflow needs before it can run',
  description:
    'All reasons to refuse publishing or running the version saved last, by the paths of its definition. Includes ' +
    'converted fields that nobody has looked at, triggers whose start node it lacks or that have no account, and the credentials and workflows that its runs may not use: those that the user who published it may not use or, while ' +
    'it waits to be published or activated, those that the caller may not use.',
  tag: 'Workflows',
  access: memberAccess('workflow', 'read'),
  effect: readEffect(),
  params: z.strictObject({ id: z.string() }),
  reply: jsonReply(ActivationIssues),
  async run({ db, caller }, { params: { id } }) {
    const row = await findWorkflow(db, caller.workspaceId, id);
    const { version, definition } = await readLastSavedVersion(db, row);
    const gaps = await activationIssues(db, caller.workspaceId, definition);
    const triggers = await findTriggerGaps(db, row, definition);
    const usage = await findUsageIssues(db, caller, toWorkflowResponse(row), definition);
    return {
      version,
      gaps: [...gaps, ...unreviewedFieldIssues(definition), ...triggers, ...usage],
    };
  },
});
