import { z } from 'zod';
import { CredentialType } from '../credentials/credential';
import { PaginationQuery, pageSchema, boundedText } from '../text';
import { CreateTableRequest } from '../tables/table';
import { CreateChatRequest } from '../triggers/chat';
import { CreateFormRequest } from '../triggers/form';
import { CreatePollRequest } from '../triggers/poll';
import { CreateScheduleRequest } from '../triggers/schedule';
import { CreateWebhookRequest } from '../triggers/webhook';
import { TEMPLATE_PURPOSES, type TemplatePurpose } from './template-purposes';
import { WorkflowDefinition } from './workflow';

export const TemplatePurposeSchema = z
  .enum(Object.keys(TEMPLATE_PURPOSES) as [TemplatePurpose, ...TemplatePurpose[]])
  .meta({ id: 'TemplatePurpose', description: 'What a template is for' });

const templateId = boundedText(1, 60).regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, {
  error: 'must be words of a-z 0-9 joined by -',
});
const templatePartId = boundedText(1, 60).regex(/^[a-zA-Z][a-zA-Z0-9]*$/, {
  error: 'must be a word of letters and digits',
});

/** A credential that nodes of a template need. */
export const TemplateCredential = z
  .strictObject({
    id: templatePartId.describe('Placeholder for it in the definition'),
    label: boundedText(1, 100).describe('What people are asked for'),
    help: boundedText(0, 500).meta({ description: 'Where it comes from, and what it must permit' }),
    types: z.array(CredentialType).min(1).describe('The types that fit'),
    connectorId: boundedText(1, 100).nullable().meta({ description: 'Of a connector; null: any other credential' }),
    nodes: z
      .array(boundedText(1, 200))
      .min(1)
      .meta({ description: 'Ids of its nodes; `loop.inner` inside a loop; `poll` is the node of the poll' }),
  })
  .meta({ id: 'TemplateCredential', description: 'A credential that a template needs' });
export type TemplateCredential = z.infer<typeof TemplateCredential>;

/** A text that a template needs: `[[id]]` in the config of its nodes stands for it. */
export const TemplateParameter = z
  .strictObject({
    id: templatePartId.describe('Placeholder for it in the definition'),
    label: boundedText(1, 100).describe('What people are asked for'),
    help: boundedText(0, 500).describe('A hint below the field'),
    kind: z.enum(['text', 'url', 'email', 'workflow']).describe('What can be entered, such as `email` or `date`'),
    example: boundedText(1, 500).describe('An example of a value'),
  })
  .meta({
    id: 'TemplateValue',
    description: 'A value that the user fills in when a workflow is made from the template',
  });
export type TemplateParameter = z.infer<typeof TemplateParameter>;

/** What starts the workflow of a template: the body of the operation that creates such a trigger. */
export const TemplateTrigger = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('webhook').describe('What starts runs'),
      settings: CreateWebhookRequest.meta({ description: 'Without the secret of a provider' }),
    }),
    z.strictObject({
      kind: z.literal('form').describe('What starts runs'),
      settings: CreateFormRequest.describe('How it behaves, as when it is created by itself'),
    }),
    z.strictObject({
      kind: z.literal('chat').describe('What starts runs'),
      settings: CreateChatRequest.describe('How it behaves, as when it is created by itself'),
    }),
    z.strictObject({
      kind: z.literal('schedule').describe('What starts runs'),
      settings: CreateScheduleRequest.describe('How it behaves, as when it is created by itself'),
    }),
    z.strictObject({
      kind: z.literal('poll').describe('What starts runs'),
      settings: CreatePollRequest.describe('How it behaves, as when it is created by itself'),
    }),
  ])
  .meta({ id: 'TemplateTrigger', description: 'What starts the workflow of a template' });
export type TemplateTrigger = z.infer<typeof TemplateTrigger>;

/** A workflow to begin with, and what it needs. */
export const WorkflowTemplate = z
  .strictObject({
    id: templateId.describe('Word by which the template is read'),
    name: boundedText(1, 100).describe('What people call it'),
    description: boundedText(1, 300).meta({ description: 'One sentence' }),
    purpose: TemplatePurposeSchema,
    services: z
      .array(
        z.strictObject({
          name: boundedText(1, 60).describe('What people call it'),
          connectorId: boundedText(1, 100).optional().describe('The connector; null: none'),
        }),
      )
      .meta({ description: 'The services that it works with; `connectorId`: by a connector' }),
    words: z.array(boundedText(1, 60)).meta({ description: 'Further words by which a search finds it' }),
    credentials: z.array(TemplateCredential).describe('The credentials that it needs'),
    values: z.array(TemplateParameter).describe('The values that the user fills in'),
    table: CreateTableRequest.nullable().meta({ description: 'Its table. Nodes name it by the id `own-table`' }),
    triggers: z.array(TemplateTrigger).meta({
      description: 'What starts the workflow',
      example: [{ kind: 'schedule', settings: { cron: '0 7 * * 1', input: {}, enabled: true, overlap: 'skip' } }],
    }),
    definition: WorkflowDefinition,
  })
  .meta({ id: 'Template', description: 'A workflow to start from, with what it asks for' });
export type WorkflowTemplate = z.infer<typeof WorkflowTemplate>;

/** What a picture of the workflow shows: its nodes and connections, without what is inside of loops. */
export const TemplateOutline = z
  .object({
    nodes: z
      .array(
        z.object({
          id: z.string().describe('Unique in the template'),
          type: z.string().describe('One of the node types, such as `http_request`'),
          name: z.string().optional().describe('What people call it'),
          connectorId: z.string().optional().describe('The connector; null: none'),
          position: z
            .object({ x: z.number().describe('Pixels to the right'), y: z.number().describe('Pixels down') })
            .describe('Where it is'),
        }),
      )
      .describe('Steps of the graph'),
    connections: WorkflowDefinition.shape.connections.describe('The connections between the nodes'),
    triggers: z
      .array(z.enum(['webhook', 'form', 'chat', 'schedule', 'poll']))
      .describe('The kinds of what starts it')
      .default([]),
  })
  .meta({ id: 'TemplateOutline', description: 'The graph of a template without configs, for a picture' });
export type TemplateOutline = z.infer<typeof TemplateOutline>;

/** A template in a list. */
export const TemplateSummary = WorkflowTemplate.pick({
  id: true,
  name: true,
  description: true,
  purpose: true,
  services: true,
  words: true,
})
  .extend({ outline: TemplateOutline })
  .meta({ id: 'TemplateSummary', description: 'A template in the list' });
export type TemplateSummary = z.infer<typeof TemplateSummary>;

export const ListTemplatesResponse = pageSchema(TemplateSummary).meta({ id: 'TemplatePage' });

export const ListTemplatesQuery = PaginationQuery.extend({
  search: boundedText(0, 200)
    .optional()
    .meta({ description: 'Words that name, description, services or words contain' }),
  purpose: TemplatePurposeSchema.optional().describe('Only templates for this purpose'),
});
