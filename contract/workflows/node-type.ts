import { z } from 'zod';
import { JsonObject, page } from '../text';

export const NodeCategory = z.enum(['trigger', 'action', 'ai', 'logic', 'data', 'human']);
export type NodeCategory = z.infer<typeof NodeCategory>;

/** How polls find new items in the output of a node: see `PollCreate`. `config`: fields that its config needs. */
export const SourceSettings = z
  .object({
    config: JsonObject,
    items: z.string(),
    key: z.string(),
    cursor: z.string().meta({ description: 'JSONata that returns the cursor of the next poll' }),
  })
  .meta({ id: 'SourceSettings' });
export type SourceSettings = z.infer<typeof SourceSettings>;

/** A node type, for the editor, the docs and scripts. `configSchema` is JSON Schema (draft 7). */
export const NodeType = z
  .object({
    type: z.string(),
    title: z.string(),
    description: z.string(),
    synonyms: z.array(z.string()).meta({ description: 'Further words by which a search finds it' }),
    category: NodeCategory,
    icon: z.string().meta({ description: 'Path of an SVG on this service' }),
    ports: z.object({
      inputs: z.array(z.string()),
      outputs: z.array(z.string()).meta({ description: 'Fixed output ports, `error` included' }),
      dynamicOutputs: z
        .string()
        .nullable()
        .meta({ description: 'Config field that names further output ports, e.g. `cases`' }),
    }),
    credentialTypes: z.array(z.string()),
    asksSource: z.literal(true).optional().meta({ description: 'Present: the node of a poll can have this type' }),
    sourceSettings: SourceSettings.optional().meta({
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
    configSchema: JsonObject,
  })
  .meta({ id: 'NodeType' });
export type NodeType = z.infer<typeof NodeType>;

export const NodeTypePage = page(NodeType).meta({ id: 'NodeTypePage' });
