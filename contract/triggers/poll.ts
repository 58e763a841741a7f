import { z } from 'zod';
import {
  CreatedAt,
  CreatedBy,
  ObjectId,
  optionalStartNodeId,
  StartNodeId,
  UpdatedAt,
  WorkflowId,
} from '../shared-fields';
import { DEFAULT_EXPRESSION_LANGUAGE } from '../workflows/expression-language';
import { ExpressionLanguageField } from '../workflows/expression-language-field';
import { NodeLabels } from '../workflows/node-labels';
import { JsonObject, Timestamp, pageSchema, boundedText, asStored } from '../text';

export const MIN_POLL_INTERVAL_MS = 5000;
const MAX_POLL_INTERVAL_MS = 7 * 86_400_000;
const MAX_POLL_EXPRESSION = 10_000;

/** `each`: one run for each new item. `batch`: one run for all of them. */
export const PollDeliveryMode = z
  .enum(['each', 'batch'])
  .meta({ id: 'PollDelivery', description: 'One run for each new item, or one for all of a poll' });
export type PollDeliveryMode = z.infer<typeof PollDeliveryMode>;

/** Whether the items of the first response start runs, or are only remembered as known. */
export const FirstPollMode = z
  .enum(['skip', 'deliver'])
  .meta({ id: 'PollFirst', description: 'What the first successful poll does with the items that are there already' });
export type FirstPollMode = z.infer<typeof FirstPollMode>;

/**
 * The node that asks the source. It is configured like a node of a workflow, but has no position and no connections.
 */
export const PollSourceNode = z
  .strictObject({
    type: boundedText(1, 100).meta({
      description: 'A node type that can ask a source, such as `http_request` or `connector`',
    }),
    config: JsonObject.meta({ description: 'As in a workflow. Expressions see `cursor` and `vars`' }),
    credentialId: boundedText(1, 100).optional().describe('The credential that the node uses'),
    timeoutMs: z.number().int().min(1).max(120_000).optional().meta({ description: 'Default: 60,000' }),
    labels: NodeLabels.optional(),
  })
  .meta({ id: 'PollNode', description: 'The node that asks the source of a poll' });
export type PollSourceNode = z.infer<typeof PollSourceNode>;

const pollName = boundedText(1, 200);
const pollIntervalMs = z
  .number()
  .int()
  .min(MIN_POLL_INTERVAL_MS)
  .max(MAX_POLL_INTERVAL_MS)
  .meta({ description: 'Milliseconds from one poll to the next; either this or `cron`', example: 60_000 });
const pollCronExpression = boundedText(1, 200).meta({
  description: 'Minute, hour, day of month, month, day of week; either this or `intervalMs`',
  example: '*/15 * * * *',
});
const pollTimezone = boundedText(1, 100).meta({
  description: 'IANA name, for `cron`; absent: `settings.timeZone` of the workflow, else UTC',
  example: 'Europe/Berlin',
});
const pollItemsExpression = boundedText(1, MAX_POLL_EXPRESSION).meta({
  description: 'An expression on `input` (the node’s output) and `cursor` that returns the list of items',
  example: 'input.body.orders',
});
const pollKeyExpression = boundedText(1, MAX_POLL_EXPRESSION).meta({
  description: 'An expression on `item` that returns its key, a text or number: an item whose key is known is not new',
  example: 'item.id',
});
const pollCursorExpression = boundedText(1, MAX_POLL_EXPRESSION).meta({
  description:
    'An expression on `input` and `cursor` that returns the cursor of the next poll. Nothing and null keep the stored one',
  example: '$max(input.body.orders.id)',
});

const POLL_LANGUAGE_DESCRIPTION = 'The language of `items`, `key`, `cursor` and of the expressions in `node`';

/** A null field counts as left out. */
export const CreatePollRequest = z.strictObject({
  name: pollName.describe('What people call it'),
  intervalMs: pollIntervalMs.nullable().optional(),
  cron: pollCronExpression.nullable().optional(),
  timezone: pollTimezone.nullable().optional(),
  node: PollSourceNode,
  items: pollItemsExpression,
  key: pollKeyExpression,
  cursor: pollCursorExpression.nullable().optional(),
  language: ExpressionLanguageField.default(DEFAULT_EXPRESSION_LANGUAGE).describe(POLL_LANGUAGE_DESCRIPTION),
  deliver: PollDeliveryMode.default('each').describe('One run for each new item, or one for all'),
  first: FirstPollMode.default('skip').describe('What the first poll does with the items that are there'),
  enabled: z.boolean().default(true).describe('False: it is switched off'),
  startNodeId: optionalStartNodeId,
});

/** A null interval, cron expression or time zone counts as left out. */
export const UpdatePollRequest = z.strictObject({
  name: pollName.optional().describe('What people call it'),
  intervalMs: pollIntervalMs.nullable().optional(),
  cron: pollCronExpression.nullable().optional(),
  timezone: pollTimezone.nullable().optional(),
  node: PollSourceNode.optional(),
  items: pollItemsExpression.optional(),
  key: pollKeyExpression.optional(),
  cursor: pollCursorExpression.nullable().optional(),
  language: ExpressionLanguageField.optional().describe(POLL_LANGUAGE_DESCRIPTION),
  deliver: PollDeliveryMode.optional(),
  first: FirstPollMode.optional(),
  enabled: z.boolean().optional().describe('False: it is switched off'),
  startNodeId: optionalStartNodeId,
});

export const PollTrigger = z
  .object({
    id: ObjectId,
    workflowId: WorkflowId,
    name: z.string().describe('What people call it'),
    intervalMs: z.number().int().nullable().describe('Milliseconds between two polls'),
    cron: z.string().nullable().describe('A cron expression of five fields'),
    timezone: z.string().nullable().describe('The IANA name of the time zone'),
    node: asStored(PollSourceNode),
    items: z.string().describe('An expression that finds the list of items in `input`, the answer'),
    key: z.string().describe('An expression on `item`: what identifies it'),
    cursor: z.string().nullable().meta({ description: 'The expression' }),
    language: ExpressionLanguageField.describe(POLL_LANGUAGE_DESCRIPTION),
    deliver: PollDeliveryMode,
    first: FirstPollMode,
    enabled: z.boolean().describe('False: it is switched off'),
    startNodeId: StartNodeId,
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
export type PollTrigger = z.infer<typeof PollTrigger>;

export const ListPollsResponse = pageSchema(PollTrigger).meta({ id: 'PollPage' });

/** The settings of a poll that asks once, before it is saved. */
export const PreviewPollRequest = CreatePollRequest.pick({
  node: true,
  items: true,
  key: true,
  cursor: true,
  language: true,
});
export type PreviewPollRequest = z.infer<typeof PreviewPollRequest>;

export const TestPollResponse = z
  .object({
    total: z.number().int().meta({ description: 'Items in the answer' }),
    newItems: z.number().int().meta({ description: 'Those of them whose keys are not known' }),
    items: z.array(z.unknown()).meta({ description: 'The first new ones, at most 20, at most 256 KiB' }),
    cursor: z.unknown().optional().meta({ description: 'The cursor that the poll would store; null: none' }),
  })
  .meta({ id: 'PollTest', description: 'What the source answers now; nothing is started or remembered' });
export type TestPollResponse = z.infer<typeof TestPollResponse>;
