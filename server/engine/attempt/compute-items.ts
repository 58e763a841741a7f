import type { LargeJsonText } from '@/server/evaluation/expressions/large-json';
import { YieldTimer } from '@/server/platform/timers/cooperative';
import type { GraphNode } from '@/server/workflow/definition/graph';
import type { EachRules } from '@/server/workflow/nodes/each-loop';
import type { NodeTypeDefinition } from '@/server/workflow/nodes/node-type';
import { AttemptRunContext, type AttemptDetails } from './context';
import { ItemOutputList } from './each-outcome';
import { sliceItems } from './item-slices';
import { buildMockedOutcome, buildPinnedOutcome } from './mocks';
import { parseRenderedConfig } from './node-config';
import { toFailedOutcome, type AttemptOutcome, type FailedOutcome } from './outcome';
import { renderItemConfigs, type ItemConfig } from './render-items';

/** A node that computes its output for each item, with the rules by which the outputs become its result. */
interface ItemComputation {
  node: GraphNode;
  kind: NodeTypeDefinition;
  rules: EachRules;
}

/** The attempt of the node for one item. */
interface ItemAttempt {
  details: AttemptDetails;
  index: number;
}

/** The outcome for one item: an output, or why there is none. */
type ItemOutcome = { kind: 'done'; port: string; output: unknown } | FailedOutcome;

/** What a node computes for each item; undefined: its items are rounds. */
export function findItemComputation({ each, body }: GraphNode): ItemComputation | undefined {
  const [node] = body?.nodes ?? [];
  return each?.isComputed && node?.nodeType ? { node, kind: node.nodeType, rules: each } : undefined;
}

/**
 * Computes a node for all items of a list in one attempt, in slices between which others get their turn. `attempt`:
 * that of the loop. Each item has the limits of an attempt of its own.
 */
export async function computeItems(
  attempt: AttemptDetails,
  items: unknown[] | LargeJsonText,
  computation: ItemComputation,
): Promise<AttemptOutcome> {
  const { run, until } = attempt;
  const { onError } = computation.rules;
  const outputs = new ItemOutputList(computation.rules);
  const timer = new YieldTimer();
  let count = 0;
  for await (const slice of sliceItems(items)) {
    until.signal.throwIfAborted();
    const first = count;
    const attempts = slice.map((item, place) => describeItemAttempt(attempt, computation, items, item, first + place));
    count += slice.length;
    const configs = await renderConfigs(attempts, computation);
    for (const [place, { details, index }] of attempts.entries()) {
      const computed = computeItem(details, computation, configs[place]);
      const outcome = computed instanceof Promise ? await computed : computed;
      const added = addOutcome(outputs, outcome, { nodeId: details.path, index }, onError);
      if (added === 'failed') {
        attempt.rendered = details.rendered;
        return { ...(outcome as FailedOutcome), nodeId: details.path };
      }
      if (added) await added;
      if (timer.isDue) await timer.take();
    }
  }
  return outputs.toOutcome({ count, isTraced: attempt.node.isTraced }, run.redactor, () => ({
    workspaceId: run.workspaceId,
    signal: until.signal,
  }));
}

/** Adds an outcome to the outputs; `failed`: the node fails with it. */
function addOutcome(
  outputs: ItemOutputList,
  outcome: ItemOutcome,
  { nodeId, index }: { nodeId: string; index: number },
  onError: EachRules['onError'],
): Promise<void> | 'failed' | undefined {
  if (outcome.kind === 'done') return outputs.add(outcome.port, outcome.output, index);
  if (onError === 'fail') return 'failed';
  const { code, parameters } = outcome;
  const { problem } = parameters ?? {};
  // With a prelude the message is data, which names no field.
  const message = outputs.hasPrelude && typeof problem === 'string' ? problem : outcome.message;
  return onError === 'continue' ? outputs.addError({ message, code, nodeId }, index) : undefined;
}

const describeItemAttempt = (
  attempt: AttemptDetails,
  { node }: ItemComputation,
  items: unknown[] | LargeJsonText,
  item: unknown,
  index: number,
): ItemAttempt => ({
  details: {
    ...attempt,
    node,
    path: `${attempt.path}[${index}]`,
    rendered: undefined,
    scope: { ...attempt.scope, input: item, item, index, items, paired: attempt.pairing?.(index) },
  },
  index,
});

const renderConfigs = (attempts: ItemAttempt[], { node, kind }: ItemComputation): Promise<ItemConfig[]> =>
  renderItemConfigs(
    node.definition.config,
    attempts.map(({ details: { scope, path, run, timeZone, until }, index }) => ({
      index,
      scope,
      context: { workspaceId: run.workspaceId, nodeId: path, language: node.language, kind, timeZone, until },
    })),
  );

function computeItem(
  details: AttemptDetails,
  { kind }: ItemComputation,
  rendered: ItemConfig | undefined,
): ItemOutcome | Promise<ItemOutcome> {
  const { run, until } = details;
  try {
    const fixed = (run.mocks && buildMockedOutcome(details)) ?? (run.pins && buildPinnedOutcome(details));
    if (fixed) return Promise.resolve(fixed).then(toItemOutcome);
    if (!rendered || 'failure' in rendered) return toFailedOutcome(rendered?.failure, run.redactor);
    const config = parseRenderedConfig(details, kind, rendered.config);
    const result = kind.run(new AttemptRunContext(details, until, config));
    if (!(result instanceof Promise)) return toItemOutcome(result);
    return result.then(toItemOutcome, (error: unknown) => toFailedOutcome(error, run.redactor));
  } catch (error) {
    return toFailedOutcome(error, run.redactor);
  }
}

/** A node that only computes has an output, or fails. */
function toItemOutcome(
  result: { kind: string } & Partial<{ port: string; output: unknown; value: unknown }>,
): ItemOutcome {
  if (result.kind === 'failed') return result as FailedOutcome;
  if (result.kind !== 'done') throw new Error('A node that waits or acts outside has to say so in its type.');
  return { kind: 'done', port: result.port ?? 'output', output: 'output' in result ? result.output : result.value };
}

/**
 * Names the field of the author in a failure of the loop that was made from it: the list is `each.items` of its node.
 */
export function nameItemsField(failure: FailedOutcome): void {
  if (failure.nodeId !== undefined || failure.expression?.field !== 'config.items') return;
  const field = 'each.items';
  failure.expression = { ...failure.expression, field };
  failure.message = failure.message.replace('config.items', field);
  if (failure.parameters) failure.parameters = { ...failure.parameters, field };
}
