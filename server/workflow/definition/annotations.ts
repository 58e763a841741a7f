import type { z } from 'zod';
import type { FieldIssue } from '@/contract/error-response';
import { MAX_NODE_GROUPS, MAX_CANVAS_NOTES, NodeGroup, CanvasNote } from '@/contract/workflows/workflow';
import { explainMissingValue, toFieldErrors } from '@/server/platform/errors/zod-issues';
import { wholeListIssues } from './list-issue';

const annotationId = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;

/** An optional list; `takenIds` maps each id to the path that uses it (`nodes[2]`), and gets the new ones. */
function parseAnnotations<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  most: number,
  [prefix, name]: [prefix: string, name: string],
  takenIds: Map<string, string>,
): { issues: FieldIssue[]; good: { index: number; entry: z.infer<Schema> }[] } {
  if (value === undefined) return { issues: [], good: [] };
  const issues = wholeListIssues(`${prefix}${name}`, value, most);
  if (!Array.isArray(value) || issues.length) return { issues, good: [] };
  const good = [];
  for (const [index, each] of (value as unknown[]).entries()) {
    const parsed = schema.safeParse(each, { error: explainMissingValue });
    if (parsed.success) good.push({ index, entry: parsed.data });
    else issues.push(...toFieldErrors(parsed.error, [`${prefix}${name}`, index]));
    const id = annotationId(each);
    if (typeof id !== 'string' || id === '') continue;
    const other = takenIds.get(id);
    if (other) issues.push({ field: `${prefix}${name}[${index}].id`, message: `is the id of ${other} as well` });
    else takenIds.set(id, `${name}[${index}]`);
  }
  return { issues, good };
}

/** All issues of the notes and groups of a definition. `nodes`: the index of each node, by its id. */
export function annotationIssues(
  { notes, groups }: { notes: unknown; groups: unknown },
  nodes: ReadonlyMap<string, number>,
  prefix: string,
): FieldIssue[] {
  const takenIds = new Map([...nodes].map(([id, index]) => [id, `nodes[${index}]`]));
  const ofNotes = parseAnnotations(CanvasNote, notes, MAX_CANVAS_NOTES, [prefix, 'notes'], takenIds);
  const ofGroups = parseAnnotations(NodeGroup, groups, MAX_NODE_GROUPS, [prefix, 'groups'], takenIds);
  const issues = [...ofNotes.issues, ...ofGroups.issues];
  const grouped = new Map<string, number>();
  for (const { index, entry } of ofGroups.good)
    for (const [at, id] of entry.nodeIds.entries()) {
      const field = `${prefix}groups[${index}].nodeIds[${at}]`;
      const before = grouped.get(id);
      if (!nodes.has(id)) issues.push({ field, message: 'no node has this id' });
      else if (before !== undefined) issues.push({ field, message: `is in groups[${before}] already` });
      else grouped.set(id, index);
    }
  return issues;
}
