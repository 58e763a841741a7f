import { z } from 'zod';
import { boundedText, JsonObject } from '../text';
import { RunError } from '../execution';
import { ExpressionTimeZoneField } from './expression-evaluation';
import { ExpressionLanguageField, ExpressionPreludeField } from './expression-language-field';
import { NodeConnection, WorkflowNode } from './workflow';

/** A preview computes no more than so many nodes. */
export const MAX_PREVIEWED_NODES = 100;
export const MAX_PREVIEW_BODY_BYTES = 4 * 1024 * 1024;
/** Characters of JSON in the outputs of one preview. */
export const MAX_PREVIEW_OUTPUT = 1024 * 1024;
/** The time of one preview in milliseconds. */
export const MAX_PREVIEW_MS = 10_000;

/** What a node gave that does not run in a preview. */
const KnownOutput = z
  .strictObject({
    output: z.unknown().describe('What it gave in the last run'),
    port: boundedText(1, 100).nullable().default('output').meta({
      description: 'The port by which it left; null: the node was skipped',
    }),
  })
  .meta({ id: 'KnownOutput', description: 'The output of a node that does not run in a preview' });

export const PreviewNodesRequest = z
  .strictObject({
    nodes: z.array(WorkflowNode).min(1).max(MAX_PREVIEWED_NODES).describe('A part of a workflow'),
    connections: z
      .array(NodeConnection)
      .max(10 * MAX_PREVIEWED_NODES)
      .describe('The connections between these nodes'),
    language: ExpressionLanguageField.default('jsonata').describe('Of all expressions in the nodes'),
    prelude: ExpressionPreludeField.optional(),
    known: z
      .record(boundedText(1, 100), KnownOutput)
      .default({})
      .meta({
        description:
          'Outputs by node id. These nodes have no results, unless they are skipped because nothing comes in by the ' +
          'connections that lead to them; one that only computes may run again to find where its items came from. ' +
          'Nodes that are not in the list are names in expressions',
      }),
    input: z.unknown().optional().meta({ description: 'What start nodes get' }),
    execution: JsonObject.optional().describe('The run, as expressions see it: `execution`'),
    vars: JsonObject.default({}).describe('Variables of the workspace by their names'),
    timeZone: ExpressionTimeZoneField,
  })
  .meta({ id: 'PreviewNodes', description: 'Nodes to compute on data. Nothing outside is called, nothing is stored.' });
export type PreviewNodesRequest = z.infer<typeof PreviewNodesRequest>;

export const PreviewedNode = z
  .object({
    nodeId: z.string().describe('Which node'),
    status: z.enum(['completed', 'failed', 'skipped', 'stopped', 'omitted']).meta({
      description:
        '`completed`, `failed` and `skipped` as in a run. `stopped`: it acts outside, waits, is a loop, or only a run can ' +
        'tell; what follows from it is not computed. `omitted`: the limits of a preview were reached',
    }),
    output: z.unknown().optional().describe('What it gives'),
    port: z.string().optional().describe('The port of the output'),
    ports: z
      .record(z.string(), z.number().int())
      .optional()
      .meta({ description: 'For a node with `each`: the number of outputs at each port' }),
    error: RunError.nullable().describe('Why it would fail; null: it would not'),
  })
  .meta({ id: 'PreviewedNode', description: 'The result of a node in a preview' });
export type PreviewedNode = z.infer<typeof PreviewedNode>;

export const PreviewedNodes = z
  .object({ results: z.array(PreviewedNode).describe('In the order in which the nodes run') })
  .meta({ id: 'PreviewedNodes', description: 'The results of nodes in a preview' });
export type PreviewedNodes = z.infer<typeof PreviewedNodes>;
