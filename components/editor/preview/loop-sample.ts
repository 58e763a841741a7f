import type { NodeResult } from '@/contract/execution';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { previewExpression } from '@/components/forms/model/preview-expression';
import type { PreviewData } from '@/components/forms/preview-context';
import { definitionAtPath } from '@/components/graph/body';
import type { OutputsByNode } from '../pins/pinned-outputs';
import { buildNodePreview } from './preview-scope';

/** Where the data of the definitions around a body comes from. */
export interface SampleSources {
  definition: WorkflowDefinition;
  resultsAt(path: readonly string[]): ReadonlyMap<string, NodeResult>;
  pinsAt(path: readonly string[]): OutputsByNode;
  titlesAt(path: readonly string[]): Readonly<Record<string, string>>;
}

/** What a body sees before it has run: what its start gets, and the outputs around the loop. */
export interface BodySample {
  /** The outputs of the start nodes of the body. */
  starts: OutputsByNode;
  outer: OutputsByNode;
  outerTitles: Readonly<Record<string, string>>;
}

export const EMPTY_BODY_SAMPLE: BodySample = { starts: {}, outer: {}, outerTitles: {} };

/** The data of a body for its first round, with the first item of the list of its loop. */
export async function computeBodySample(sources: SampleSources, path: readonly string[]): Promise<BodySample> {
  let sample = EMPTY_BODY_SAMPLE;
  for (let depth = 0; depth < path.length; depth += 1) {
    const around = path.slice(0, depth);
    const definition = definitionAtPath(sources.definition, around);
    const loop = definition.nodes.find(({ id }) => id === path[depth]);
    if (!loop) return EMPTY_BODY_SAMPLE;
    const titles = { ...sample.outerTitles, ...sources.titlesAt(around) };
    const preview = buildNodePreview(definition, loop.id, {
      results: sources.resultsAt(around),
      pins: { ...sample.starts, ...sources.pinsAt(around) },
      execution: undefined,
      titles,
      outer: sample.outer,
    });
    const given = await startOutput(loop, preview);
    const body = definitionAtPath(sources.definition, path.slice(0, depth + 1));
    const starts = body.nodes.flatMap(({ id, type }) => (type === 'start' && given !== undefined ? [[id, given]] : []));
    sample = { starts: Object.fromEntries(starts), outer: preview.scope.nodes, outerTitles: titles };
  }
  return sample;
}

/** What the start of the body of a loop gets in the first round. Undefined: it is not known. */
async function startOutput(loop: WorkflowNode, { scope, hasData }: PreviewData): Promise<unknown> {
  if (loop.type === 'repeat') return { index: 0, previous: null, input: scope.input };
  const { items } = loop.config;
  if (!hasData || typeof items !== 'string' || items.trim() === '') return undefined;
  const outcome = await previewExpression(items, scope, true);
  const value = 'value' in outcome ? outcome.value : undefined;
  const item: unknown = Array.isArray(value) ? value[0] : value;
  return item === undefined ? undefined : { item, index: 0 };
}
