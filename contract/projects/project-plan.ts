import { z } from 'zod';

export const ProjectObjectType = z
  .enum([
    'table',
    'variable',
    'credential',
    'folder',
    'workflow',
    'webhook',
    'schedule',
    'poll',
    'form',
    'chat',
    'test',
  ])
  .meta({ id: 'ProjectObjectKind', description: 'What a push can create, change or delete' });
export type ProjectObjectType = z.infer<typeof ProjectObjectType>;

const planItemFields = {
  kind: ProjectObjectType,
  name: z.string().describe('Of the object, as in the files'),
  workflow: z.string().nullable().meta({ description: 'Key of the workflow that it belongs to', example: null }),
};

export const ProjectChange = z
  .object({
    ...planItemFields,
    action: z.enum(['create', 'update', 'delete']).describe('What was done, or may be done'),
    fields: z.array(z.string()).meta({ description: 'The fields that differ, for an update' }),
    before: z.unknown().optional().meta({ description: 'In a plan: what is here now, as it would be in the files' }),
    after: z.unknown().optional().meta({ description: 'In a plan: what the files say' }),
  })
  .meta({ id: 'ProjectChange', description: 'An object that a push creates, changes or deletes' });
export type ProjectChange = z.infer<typeof ProjectChange>;

export const ProjectIssue = z
  .object({
    ...planItemFields,
    message: z.string().describe('For people; may change'),
    details: z
      .array(
        z.object({
          field: z.string().describe('The field, as a path such as `nodes[1].config.url`'),
          message: z.string().describe('For people; may change'),
        }),
      )
      .describe('The fields that are wrong, each with a message'),
  })
  .meta({ id: 'ProjectIssue', description: 'Why a push is refused' });
export type ProjectIssue = z.infer<typeof ProjectIssue>;

export const ProjectNote = z
  .object({ ...planItemFields, message: z.string().describe('For people; may change') })
  .meta({ id: 'ProjectNote', description: 'What remains to be done by hand after a push' });
export type ProjectNote = z.infer<typeof ProjectNote>;

/** What a push changes, or has changed. Nothing is changed while there are issues. */
export const ProjectPlan = z
  .object({
    changes: z.array(ProjectChange).meta({ description: 'In the order in which they are made' }),
    issues: z.array(ProjectIssue).meta({ description: 'Why the push is refused' }),
    notes: z.array(ProjectNote).meta({ description: 'What remains to be done by hand, and what was left as it is' }),
    workflows: z
      .array(
        z.object({
          key: z.string().describe('What references use'),
          identity: z.string().meta({ description: 'Its `id` in the files, or its key' }),
          id: z.string().nullable().describe('Null: the object does not exist yet'),
          version: z.number().int().nullable().describe('The version, from 1'),
        }),
      )
      .meta({ description: 'The workflows of the files with their ids here; null: it does not exist yet' }),
    workspaceId: z.string().describe('Where the push goes'),
    fingerprint: z.string().meta({ description: 'Changes when the plan does' }),
  })
  .meta({ id: 'ProjectPlan', description: 'What a push changes, or has changed' });
export type ProjectPlan = z.infer<typeof ProjectPlan>;
