import { z } from 'zod';
import { CredentialType } from '../credentials/credential';
import { PageQuery, page, text } from '../text';
import { TableCreate } from '../tables/table';
import { ChatCreate } from '../triggers/chat';
import { FormCreate } from '../triggers/form';
import { PollCreate } from '../triggers/poll';
import { ScheduleCreate } from '../triggers/schedule';
import { WebhookCreate } from '../triggers/webhook';
import { TEMPLATE_PURPOSES, type TemplatePurpose } from './template-purposes';
import { Definition } from './workflow';

export const Purpose = z
  .enum(Object.keys(TEMPLATE_PURPOSES) as [TemplatePurpose, ...TemplatePurpose[]])
  .meta({ id: 'TemplatePurpose' });

const id = text(1, 60).regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'must be words of a-z 0-9 joined by -' });
const word = text(1, 60).regex(/^[a-zA-Z][a-zA-Z0-9]*$/, { error: 'must be a word of letters and digits' });

/** A credential that nodes of a template need. */
export const TemplateCredential = z
  .strictObject({
    id: word,
    label: text(1, 100),
    help: text(0, 500).meta({ description: 'Where it comes from, and what it must permit' }),
    types: z.array(CredentialType).min(1),
    connectorId: text(1, 100).nullable().meta({ description: 'Of a connector; null: any other credential' }),
    nodes: z
      .array(text(1, 200))
      .min(1)
      .meta({ description: 'Ids of its nodes; `loop.inner` inside a loop; `poll` is the node of the poll' }),
  })
  .meta({ id: 'TemplateCredential' });
export type TemplateCredential = z.infer<typeof TemplateCredential>;

/** A text that a template needs: `[[id]]` in the config of its nodes stands for it. */
export const TemplateValue = z
  .strictObject({
    id: word,
    label: text(1, 100),
    help: text(0, 500),
    kind: z.enum(['text', 'url', 'email', 'workflow']),
    example: text(1, 500),
  })
  .meta({ id: 'TemplateValue' });
export type TemplateValue = z.infer<typeof TemplateValue>;

/** What starts the workflow of a template: the body of the operation that creates such a trigger. */
export const TemplateTrigger = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('webhook'),
      settings: WebhookCreate.meta({ description: 'Without the secret of a provider' }),
    }),
    z.strictObject({ kind: z.literal('form'), settings: FormCreate }),
    z.strictObject({ kind: z.literal('chat'), settings: ChatCreate }),
    z.strictObject({ kind: z.literal('schedule'), settings: ScheduleCreate }),
    z.strictObject({ kind: z.literal('poll'), settings: PollCreate }),
  ])
  .meta({ id: 'TemplateTrigger' });
export type TemplateTrigger = z.infer<typeof TemplateTrigger>;

/** A workflow to begin with, and what it needs. */
export const Template = z
  .strictObject({
    id,
    name: text(1, 100),
    description: text(1, 300).meta({ description: 'One sentence' }),
    purpose: Purpose,
    services: z
      .array(z.strictObject({ name: text(1, 60), connectorId: text(1, 100).optional() }))
      .meta({ description: 'The services that it works with; `connectorId`: by a connector' }),
    words: z.array(text(1, 60)).meta({ description: 'Further words by which a search finds it' }),
    credentials: z.array(TemplateCredential),
    values: z.array(TemplateValue),
    table: TableCreate.nullable().meta({ description: 'Its table. Nodes name it by the id `own-table`' }),
    triggers: z.array(TemplateTrigger).meta({
      example: [{ kind: 'schedule', settings: { cron: '0 7 * * 1', input: {}, enabled: true, overlap: 'skip' } }],
    }),
    definition: Definition,
  })
  .meta({ id: 'Template' });
export type Template = z.infer<typeof Template>;

/** What a picture of the workflow shows: its nodes and connections, without what is inside of loops. */
export const TemplateOutline = z
  .object({
    nodes: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        name: z.string().optional(),
        connectorId: z.string().optional(),
        position: z.object({ x: z.number(), y: z.number() }),
      }),
    ),
    connections: Definition.shape.connections,
  })
  .meta({ id: 'TemplateOutline' });
export type TemplateOutline = z.infer<typeof TemplateOutline>;

/** A template in a list. */
export const TemplateSummary = Template.pick({
  id: true,
  name: true,
  description: true,
  purpose: true,
  services: true,
  words: true,
})
  .extend({ outline: TemplateOutline })
  .meta({ id: 'TemplateSummary' });
export type TemplateSummary = z.infer<typeof TemplateSummary>;

export const TemplatePage = page(TemplateSummary).meta({ id: 'TemplatePage' });

export const TemplateQuery = PageQuery.extend({
  search: text(0, 200).optional().meta({ description: 'Words that name, description, services or words contain' }),
  purpose: Purpose.optional(),
});
