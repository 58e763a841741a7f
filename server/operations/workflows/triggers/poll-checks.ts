import type { FieldError } from '@/contract/error';
import type { Poll } from '@/contract/triggers/poll';
import type { Definition } from '@/contract/workflows/workflow';
import type { Caller } from '@/server/access/caller';
import { requireUse } from '@/server/access/references';
import type { Db } from '@/server/db/client';
import { nodeOf, sourceProblem } from '@/server/engine/polls/source';
import { invalid } from '@/server/errors/problem';
import { checkTexts, EvaluationFailed } from '@/server/evaluation/evaluation';
import { sentence } from '@/server/expressions/template';
import { cronIssues } from '@/server/workflow/cron';
import { definitionIssues } from '@/server/workflow/definition';
import { gapsOf } from '@/server/workflow/readiness';
import { referencesIn } from '@/server/workflow/references';

/** The settings of a poll that are checked. */
export type PollSettings = Pick<
  Poll,
  'intervalMs' | 'cron' | 'timezone' | 'node' | 'items' | 'key' | 'cursor' | 'enabled'
>;

function timeIssues({ intervalMs, cron, timezone }: PollSettings): FieldError[] {
  if (intervalMs !== null && cron !== null)
    return [{ field: 'cron', message: 'is not allowed together with intervalMs' }];
  if (cron !== null) return cronIssues(cron, timezone ?? 'UTC');
  return intervalMs === null ? [{ field: 'intervalMs', message: 'is required, or cron' }] : [];
}

/** The place of the node in the definition that is checked. */
const PLACE = 'nodes[0]';

/** The issues of the node, as in a workflow that has it. */
async function nodeIssues(db: Db, workspaceId: string, { node, enabled }: PollSettings): Promise<FieldError[]> {
  const problem = sourceProblem(node.type);
  if (problem) return [{ field: 'node.type', message: problem }];
  const definition: Definition = { nodes: [nodeOf(node)], connections: [] };
  const issues = await definitionIssues(definition, { workspaceId });
  const all = issues.length > 0 ? issues : await gapsOf(db, workspaceId, definition);
  // Its own issues only: it needs no start node.
  // One that is disabled may wait for its credential.
  const waitsFor = !enabled && node.credentialId === undefined ? `${PLACE}.credentialId` : undefined;
  return all
    .filter(({ field }) => field.startsWith(PLACE) && field !== waitsFor)
    .map(({ field, message }) => ({ field: `node${field.slice(PLACE.length)}`, message }));
}

async function expressionIssues(workspaceId: string, { items, key, cursor }: PollSettings): Promise<FieldError[]> {
  const fields = Object.entries({ items, key, cursor }).flatMap(([field, text]) =>
    text === null ? [] : [{ field, text }],
  );
  const { texts } = await checkTexts(
    fields.map(({ text }) => ({ text, kind: 'bare' })),
    [],
    { workspaceId },
  );
  return fields.flatMap(({ field }, index) => {
    const problem = texts[index];
    return problem ? [{ field, message: sentence(problem) }] : [];
  });
}

/** Throws for settings with which a poll could not work, with all reasons. */
export async function requirePollable(db: Db, workspaceId: string, settings: PollSettings): Promise<void> {
  const issues = [
    ...timeIssues(settings),
    ...(await nodeIssues(db, workspaceId, settings)),
    ...(await expressionIssues(workspaceId, settings).catch(toIssue)),
  ];
  if (issues.length > 0) throw invalid(issues);
}

function toIssue(error: unknown): FieldError[] {
  if (!(error instanceof EvaluationFailed)) throw error;
  return [{ field: 'items', message: `cannot be checked: ${error.message}` }];
}

/** Throws 403 unless the caller may use what a node refers to: its credential, its connector. */
export async function requireNodeUse(db: Db, caller: Caller, node: Poll['node']): Promise<void> {
  await requireUse(db, caller, referencesIn({ nodes: [nodeOf(node)], connections: [] }));
}
