import { z } from 'zod';
import { JsonObject, pageSchema } from '../text';

export const NodeCategory = z.enum(['trigger', 'action', 'ai', 'logic', 'data', 'human']);
export type NodeCategory = z.infer<typeof NodeCategory>;

/**
 * How polls find new items in the output of a node, as `CreatePollRequest` explains. `config` has the fields that its
 * config needs.
 */
export const PollSourceSettings = z
  .object({
    config: JsonObject.describe('Depends on the type'),
    items: z.string().describe('JSONata that finds the list of items in `input`, the answer'),
    key: z.string().describe('JSONata on `item`: what identifies it'),
    cursor: z.string().meta({ description: 'JSONata that returns the cursor of the next poll' }),
  })
  .meta({ id: 'SourceSettings', description: 'How polls find new items in the output of a node' });
export type PollSourceSettings = z.infer<typeof PollSourceSettings>;

/** A node type, for the editor, the docs and scripts. `configSchema` is JSON Schema (draft 7). */
export const NodeTypeDescription = z
  .object({
    type: z.string().describe('What nodes name it by, such as `http_request`'),
    title: z.string().describe('Heading that people see'),
    description: z.string().describe('What it is for; may be empty'),
    synonyms: z.array(z.string()).meta({ description: 'Further words by which a search finds it' }),
    category: NodeCategory.describe('The kind'),
    icon: z.string().meta({ description: 'Path of an SVG on this service' }),
    ports: z
      .object({
        inputs: z.array(z.string()).describe('The input ports'),
        outputs: z.array(z.string()).meta({ description: 'Fixed output ports, `error` included' }),
        dynamicOutputs: z
          .string()
          .nullable()
          .meta({ description: 'Config field that names further output ports, e.g. `cases`' }),
      })
      .describe('The ports of the node'),
    credentialTypes: z.array(z.string()).describe('The types of credential that the node takes; empty: none'),
    asksSource: z.literal(true).optional().meta({ description: 'Present: the node of a poll can have this type' }),
    sourceSettings: PollSourceSettings.optional().meta({
      description: 'Present: the settings of every poll whose node has this type',
    }),
    needsMock: z
      .literal(true)
      .optional()
      .meta({ description: 'Present: without a mock, a node of this type fails in a test of the workflow' }),
    isOnce: z.literal(true).optional().meta({
      description:
        'Present: an attempt that a crash interrupted is not repeated, unless the node has `repeatable: true` or retries',
    }),
    configSchema: JsonObject.describe('The config as JSON Schema (draft 7)'),
  })
  .meta({ id: 'NodeType', description: 'A node type. `configSchema` is JSON Schema (draft 7).' });
export type NodeTypeDescription = z.infer<typeof NodeTypeDescription>;

export const ListNodeTypesResponse = pageSchema(NodeTypeDescription).meta({ id: 'NodeTypePage' });
