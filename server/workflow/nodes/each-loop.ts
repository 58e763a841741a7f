import { z } from 'zod';
import type { NodeEach } from '@/contract/workflows/each';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { expressionField, largeValueField } from './field-traits';
import { listLoopItems } from './flow/for-each';
import { listOutputPorts } from './index';
import { defineNodeType, type NodeTypeDefinition } from './node-type';

/** How the results of the items of a node become its result. */
export interface EachRules {
  concurrency: number;
  onError: NonNullable<NodeEach['onError']>;
  onEmpty: NonNullable<NodeEach['onEmpty']>;
  flatten: boolean;
  /** The port of errors in place of outputs, and of the empty list. */
  firstPort: string;
  /** Its items may leave by different ports. */
  hasSeveralPorts: boolean;
  /** The definition has the prelude of another tool, whose rules for empty lists and errors hold. */
  hasPrelude: boolean;
  /** All items are computed in one attempt; otherwise each is a round with a stored result. */
  isComputed: boolean;
}

/** The first output port of a type. */
export const firstOutputPort = (kind: NodeTypeDefinition | undefined): string => {
  const outputs = kind?.outputs ?? [];
  return outputs.includes('output') ? 'output' : (outputs[0] ?? 'output');
};

/** Whether a node only computes, in one attempt: such nodes repeat nothing after a crash that others could notice. */
const onlyComputes = (kind: NodeTypeDefinition, { config, retry, timeoutMs }: WorkflowNode): boolean => {
  const isOutside = typeof kind.isOutside === 'function' ? kind.isOutside(config) : kind.isOutside;
  return !isOutside && !kind.mayWait && !kind.parts && (retry?.maxAttempts ?? 1) === 1 && timeoutMs === undefined;
};

export const readEachRules = (
  kind: NodeTypeDefinition,
  node: WorkflowNode,
  { concurrency, onError = 'fail', onEmpty = 'end', flatten = false }: NodeEach,
  hasPrelude: boolean,
): EachRules => ({
  hasPrelude,
  concurrency: concurrency ?? kind.eachConcurrency ?? 1,
  onError,
  onEmpty,
  flatten,
  firstPort: firstOutputPort(kind),
  hasSeveralPorts: listOutputPorts(kind, node.config).filter((port) => port !== 'error').length > 1,
  isComputed: onlyComputes(kind, node),
});

const eachConfig = z.strictObject({
  items: z.unknown().optional().apply(expressionField, { pathMustExist: true }).apply(largeValueField),
  concurrency: z.number(),
});

/** The type of the loop that runs a node of a type, with this config, once for each item. */
export function createEachNodeType(
  kind: NodeTypeDefinition,
  written: Record<string, unknown>,
  isComputed: boolean,
): NodeTypeDefinition {
  const { type, title, summary, category, outputs, dynamicOutputs } = kind;
  const loop = defineNodeType({
    type,
    title,
    summary,
    category,
    config: eachConfig,
    hasInput: true,
    seesInput: false,
    outputs,
    credentialTypes: [],
    // A computation of many items is in flight meanwhile, so that the run can be cancelled.
    isOutside: isComputed,
    ...(isComputed && { startsEarly: true as const }),
    inTests: 'run',
    timesItself: true,
    run: async ({ config: { items, concurrency } }) => ({ kind: 'rounds', items: listLoopItems(items), concurrency }),
  });
  const ports = dynamicOutputs?.ports(written) ?? [];
  return {
    ...(loop as NodeTypeDefinition),
    ...(dynamicOutputs && { dynamicOutputs: { ...dynamicOutputs, ports: () => ports } }),
  };
}
