import type { NodeResult } from '@/contract/execution';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { previewValue } from '@/components/forms/model/preview-value';
import { definitionLanguage } from '@/contract/workflows/expression-language';
import type { PreviewData } from '@/components/forms/preview-context';
import { definitionAtPath } from '@/components/graph/body';
import type { OutputsByNode } from '../pins/pinned-outputs';
import { buildNodePreview } from './preview-scope';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';

/** Where the data of the definitions around a body comes from. */
export interface SampleSources {
  definition: WorkflowDefinition;
  resultsAt(path: readonly string[]): ReadonlyMap<string, NodeResult>;
  pinsAt(path: readonly string[]): OutputsByNode;
  titlesAt(path: readonly string[]): Readonly<Record<string, string>>;
  /** Evaluates what a page cannot evaluate. */
  evaluate?: PreviewData['evaluate'];
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
  const language = definitionLanguage(sources.definition);
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
    const given = await startOutput(loop, { ...preview, evaluate: sources.evaluate }, language);
    const body = definitionAtPath(sources.definition, path.slice(0, depth + 1));
    const starts = body.nodes.flatMap(({ id, type }) => (type === 'start' && given !== undefined ? [[id, given]] : []));
    sample = { starts: Object.fromEntries(starts), outer: preview.scope.nodes, outerTitles: titles };
  }
  return sample;
}

/** What the start of the body of a loop gets in the first round. Undefined: it is not known. */
async function startOutput(loop: WorkflowNode, preview: PreviewData, language: ExpressionLanguage): Promise<unknown> {
  const { scope, hasData } = preview;
  if (loop.type === 'repeat') return { index: 0, previous: null, input: scope.input };
  const { items } = loop.config;
  if (!hasData || typeof items !== 'string' || items.trim() === '') return undefined;
  const outcome = await previewValue(items, true, preview, language);
  const value = outcome && 'value' in outcome ? outcome.value : undefined;
  const item: unknown = Array.isArray(value) ? value[0] : value;
  return item === undefined ? undefined : { item, index: 0 };
}
