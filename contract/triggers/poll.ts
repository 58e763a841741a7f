import { z } from 'zod';
import { CreatedAt, CreatedBy, ObjectId, UpdatedAt, WorkflowId } from '../shared-fields';
import { JsonObject, Timestamp, page, text, asStored } from '../text';

export const MIN_POLL_INTERVAL_MS = 5000;
const MAX_POLL_INTERVAL_MS = 7 * 86_400_000;
const MAX_EXPRESSION = 10_000;

/** `each`: one run for each new item. `batch`: one run for all of them. */
export const PollDelivery = z
  .enum(['each', 'batch'])
  .meta({ id: 'PollDelivery', description: 'One run for each new item, or one for all of a poll' });
export type PollDelivery = z.infer<typeof PollDelivery>;

/** What happens to the items of the first answer: they are only remembered, or they start runs. */
export const PollFirst = z
  .enum(['skip', 'deliver'])
  .meta({ id: 'PollFirst', description: 'What the first successful poll does with the items that are there already' });
export type PollFirst = z.infer<typeof PollFirst>;

/** The node that asks the source: a node of a workflow without place and connections. */
export const PollNode = z
  .strictObject({
    type: text(1, 100).meta({
      description: 'A node type that can ask a source, such as `http_request` or `connector`',
    }),
    config: JsonObject.meta({ description: 'As in a workflow. Expressions see `cursor` and `vars`' }),
    credentialId: text(1, 100).optional().describe('The credential that the node uses'),
    timeoutMs: z.number().int().min(1).max(120_000).optional().meta({ description: 'Default: 60,000' }),
  })
  .meta({ id: 'PollNode', description: 'The node that asks the source of a poll' });
export type PollNode = z.infer<typeof PollNode>;

const name = text(1, 200);
const intervalMs = z
  .number()
  .int()
  .min(MIN_POLL_INTERVAL_MS)
  .max(MAX_POLL_INTERVAL_MS)
  .meta({ description: 'Milliseconds from one poll to the next; either this or `cron`', example: 60_000 });
const cron = text(1, 200).meta({
  description: 'Minute, hour, day of month, month, day of week; either this or `intervalMs`',
  example: '*/15 * * * *',
});
const timezone = text(1, 100).meta({
  description: 'IANA name, for `cron`; absent: `settings.timeZone` of the workflow, else UTC',
  example: 'Europe/Berlin',
});
const items = text(1, MAX_EXPRESSION).meta({
  description: 'JSONata on `input` (the node’s output) and `cursor` that returns the list of items',
  example: 'input.body.orders',
});
const key = text(1, MAX_EXPRESSION).meta({
  description: 'JSONata on `item` that returns its key, a text or number: an item whose key is known is not new',
  example: 'item.id',
});
const cursor = text(1, MAX_EXPRESSION).meta({
  description:
    'JSONata on `input` and `cursor` that returns the cursor of the next poll. Nothing and null keep the stored one',
  example: '$max(input.body.orders.id)',
});

/** Null is as if the field were left out. */
export const PollCreate = z.strictObject({
  name: name.describe('What people call it'),
  intervalMs: intervalMs.nullable().optional(),
  cron: cron.nullable().optional(),
  timezone: timezone.nullable().optional(),
  node: PollNode,
  items,
  key,
  cursor: cursor.nullable().optional(),
  deliver: PollDelivery.default('each').describe('One run for each new item, or one for all'),
  first: PollFirst.default('skip').describe('What the first poll does with the items that are there'),
  enabled: z.boolean().default(true).describe('False: it is switched off'),
});

/** Null of `intervalMs`, `cron` and `timezone` is as if it were left out. */
export const PollUpdate = z.strictObject({
  name: name.optional().describe('What people call it'),
  intervalMs: intervalMs.nullable().optional(),
  cron: cron.nullable().optional(),
  timezone: timezone.nullable().optional(),
  node: PollNode.optional(),
  items: items.optional(),
  key: key.optional(),
  cursor: cursor.nullable().optional(),
  deliver: PollDelivery.optional(),
  first: PollFirst.optional(),
  enabled: z.boolean().optional().describe('False: it is switched off'),
});

export const Poll = z
  .object({
    id: ObjectId,
    workflowId: WorkflowId,
    name: z.string().describe('What people call it'),
    intervalMs: z.number().int().nullable().describe('Milliseconds between two polls'),
    cron: z.string().nullable().describe('A cron expression of five fields'),
    timezone: z.string().nullable().describe('The IANA name of the time zone'),
    node: asStored(PollNode),
    items: z.string().describe('JSONata that finds the list of items in `input`, the answer'),
    key: z.string().describe('JSONata on `item`: what identifies it'),
    cursor: z.string().nullable().meta({ description: 'The expression' }),
    deliver: PollDelivery,
    first: PollFirst,
    enabled: z.boolean().describe('False: it is switched off'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    createdBy: CreatedBy,
    cursorValue: z.unknown().optional().meta({ description: 'The stored cursor; null: none yet' }),
    nextPollAt: Timestamp.nullable().meta({
      description: 'Not before this time, and only while the workflow is active. Null when it is disabled',
    }),
    lastPolledAt: Timestamp.nullable().meta({ description: 'The end of the last poll, successful or not' }),
    lastItems: z.number().int().nullable().meta({ description: 'Items in the last answer' }),
    lastNewItems: z.number().int().nullable().meta({ description: 'Those of them that were new' }),
    lastError: z.string().nullable().meta({ description: 'Why the last poll failed; null: it did not' }),
    failures: z.number().int().meta({ description: 'Polls that failed in a row' }),
    lastRefusedAt: Timestamp.nullable().meta({ description: 'When an item was last refused by `inputSchema`' }),
    lastRefusedReason: z.string().nullable().describe('Why an item was refused last; null: none was'),
  })
  .meta({ id: 'Poll', description: 'Runs for new items of a source' });
export type Poll = z.infer<typeof Poll>;

export const PollPage = page(Poll).meta({ id: 'PollPage' });

export const PollTest = z
  .object({
    total: z.number().int().meta({ description: 'Items in the answer' }),
    newItems: z.number().int().meta({ description: 'Those of them whose keys are not known' }),
    items: z.array(z.unknown()).meta({ description: 'The first new ones, at most 20, at most 256 KiB' }),
    cursor: z.unknown().optional().meta({ description: 'The cursor that the poll would store; null: none' }),
  })
  .meta({ id: 'PollTest', description: 'What the source answers now; nothing is started or remembered' });
export type PollTest = z.infer<typeof PollTest>;
