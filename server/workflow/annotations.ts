import type { z } from 'zod';
import type { FieldError } from '@/contract/error';
import { MAX_GROUPS, MAX_NOTES, NodeGroup, Note } from '@/contract/workflows/workflow';
import { explain, fieldErrors } from '@/server/errors/zod-issues';
import { listIssue } from './list-issue';

const idOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;

/** An optional list; `takenIds` maps each id to the path that uses it (`nodes[2]`), and gets the new ones. */
function entries<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  most: number,
  [prefix, name]: [prefix: string, name: string],
  takenIds: Map<string, string>,
): { issues: FieldError[]; good: { index: number; entry: z.infer<Schema> }[] } {
  if (value === undefined) return { issues: [], good: [] };
  const issues = listIssue(`${prefix}${name}`, value, most);
  if (!Array.isArray(value) || issues.length) return { issues, good: [] };
  const good = [];
  for (const [index, each] of (value as unknown[]).entries()) {
    const parsed = schema.safeParse(each, { error: explain });
    if (parsed.success) good.push({ index, entry: parsed.data });
    else issues.push(...fieldErrors(parsed.error, [`${prefix}${name}`, index]));
    const id = idOf(each);
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
): FieldError[] {
  const takenIds = new Map([...nodes].map(([id, index]) => [id, `nodes[${index}]`]));
  const ofNotes = entries(Note, notes, MAX_NOTES, [prefix, 'notes'], takenIds);
  const ofGroups = entries(NodeGroup, groups, MAX_GROUPS, [prefix, 'groups'], takenIds);
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
