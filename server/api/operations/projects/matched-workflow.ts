import type { Workflow as Row } from '@/generated/prisma/client';
import type { ProjectWorkflow } from '@/contract/projects/project';
import { keyedReferences, type KeyedReference } from '@/server/workflow/definition/references';
import { mapSubscriptionCredential } from './webhook-part';
import { mapNodeReferences } from './workflow-parts';

/** A workflow of the files and the matching workflow of the workspace, if there is one. */
export interface MatchedWorkflow {
  key: string;
  /** Later pushes find the workflow by this value. */
  identity: string;
  item: ProjectWorkflow;
  row: Row | undefined;
}

/** Lists the references of a workflow of the files in its definition, polls, subscriptions and settings. */
export function listProjectReferences({ definition, triggers, settings }: ProjectWorkflow): KeyedReference[] {
  const found = keyedReferences(definition);
  for (const [index, { node }] of triggers.polls.entries())
    mapNodeReferences(node, (reference) => {
      found.push({ ...reference, field: reference.field.replace('nodes[0]', `triggers.polls[${index}].node`) });
      return reference.id;
    });
  for (const [index, { subscription }] of triggers.webhooks.entries())
    if (subscription)
      mapSubscriptionCredential(subscription, (reference) => {
        found.push({ ...reference, field: `triggers.webhooks[${index}].${reference.field}` });
        return reference.id;
      });
  const { errorWorkflow } = settings;
  if (errorWorkflow !== null) found.push({ resource: 'workflow', id: errorWorkflow, field: 'settings.errorWorkflow' });
  return found;
}

/** Sorts the workflows of the files so that a called workflow precedes its callers. */
export function sortCalledFirst(all: readonly MatchedWorkflow[]): MatchedWorkflow[] {
  const byKey = new Map(all.map((one) => [one.key, one]));
  const ordered = new Set<MatchedWorkflow>();
  const visited = new Set<MatchedWorkflow>();
  const visit = (one: MatchedWorkflow): void => {
    if (visited.has(one)) return;
    visited.add(one);
    for (const { resource, id } of listProjectReferences(one.item)) {
      const called = resource === 'workflow' ? byKey.get(id) : undefined;
      if (called) visit(called);
    }
    ordered.add(one);
  };
  for (const one of all) visit(one);
  return [...ordered];
}
