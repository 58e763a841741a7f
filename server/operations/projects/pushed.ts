import type { Workflow as Row } from '@/generated/prisma/client';
import type { ProjectWorkflow } from '@/contract/projects/project';
import { keyedReferencesIn, type KeyedReference } from '@/server/workflow/references';
import { withNodeReferences } from './parts';

/** A workflow of the files, and its twin here. */
export interface Pushed {
  key: string;
  /** What finds it again in later pushes. */
  identity: string;
  item: ProjectWorkflow;
  row: Row | undefined;
}

/** References of a workflow of the files: of its definition, its polls and its settings. */
export function referencesOf({ definition, triggers, settings }: ProjectWorkflow): KeyedReference[] {
  const found = keyedReferencesIn(definition);
  for (const [index, { node }] of triggers.polls.entries())
    withNodeReferences(node, (reference) => {
      found.push({ ...reference, field: reference.field.replace('nodes[0]', `triggers.polls[${index}].node`) });
      return reference.id;
    });
  const { errorWorkflow } = settings;
  if (errorWorkflow !== null) found.push({ resource: 'workflow', id: errorWorkflow, field: 'settings.errorWorkflow' });
  return found;
}

/** The workflows of the files, those first that others call. */
export function calledFirst(all: readonly Pushed[]): Pushed[] {
  const byKey = new Map(all.map((one) => [one.key, one]));
  const ordered = new Set<Pushed>();
  const visited = new Set<Pushed>();
  const visit = (one: Pushed): void => {
    if (visited.has(one)) return;
    visited.add(one);
    for (const { resource, id } of referencesOf(one.item)) {
      const called = resource === 'workflow' ? byKey.get(id) : undefined;
      if (called) visit(called);
    }
    ordered.add(one);
  };
  for (const one of all) visit(one);
  return [...ordered];
}
