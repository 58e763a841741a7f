import { notifications } from '@mantine/notifications';
import { valueAtPathSteps, type PathSteps } from '@/components/ui/values/jsonata-path';
import { definitionAtPath } from '@/components/graph/body';
import { useDraft } from '../draft/draft';
import { pinnedOutputsAt } from '../pins/pinned-outputs';
import { nodeInputForPreview } from '../preview/preview-scope';
import { useEditorRun } from './editor-run';
import { usePartialRuns } from './usePartialRuns';
import { parseExpressionPath } from '@/components/ui/values/expression-path';
import { definitionLanguage, type ExpressionLanguage } from '@/contract/workflows/expression-language';

/** A copy of a value with another value at a path. */
function replaceAtSteps(value: unknown, [step, ...rest]: PathSteps, next: unknown): unknown {
  if (step === undefined) return next;
  if (Array.isArray(value)) return value.with(Number(step), replaceAtSteps(value[Number(step)], rest, next));
  const fields = value as Record<string, unknown>;
  return { ...fields, [step]: replaceAtSteps(fields[step], rest, next) };
}

/** The input of a loop with the first item of its list only, or why there is none. */
export function firstItemInput(
  items: unknown,
  input: unknown,
  language: ExpressionLanguage,
): { input: unknown } | { refusal: string } {
  const [root, ...steps] = (typeof items === 'string' && parseExpressionPath(items, language)) || [];
  if (root !== 'input') return { refusal: 'Only a list of the input can be cut to its first item' };
  const list = valueAtPathSteps(input, steps);
  if (list === undefined) return { refusal: 'Run the workflow up to the loop first: its list is not known yet' };
  if (!Array.isArray(list) || list.length === 0) return { refusal: 'There is no item' };
  return { input: replaceAtSteps(input, steps, list.slice(0, 1)) };
}

/** Runs a loop of the workflow with the first item of its list. `path`: leads to its body. */
export function useFirstItemRun(path: readonly string[]) {
  const definition = useDraft((draft) => draft.definition);
  const pins = useDraft((draft) => draft.pins);
  const { readRounds } = useEditorRun();
  const around = path.slice(0, -1);
  const loopId = path.at(-1) ?? '';
  const loop = definitionAtPath(definition, around).nodes.find(({ id }) => id === loopId);
  const runs = usePartialRuns(loopId, around);
  const known = nodeInputForPreview(
    definitionAtPath(definition, around),
    loopId,
    readRounds(around).results,
    pinnedOutputsAt(pins, around),
  );
  const cut = firstItemInput(loop?.config.items, known, definitionLanguage(definition));
  const refusal = 'refusal' in cut ? cut.refusal : runs.withInput ? undefined : 'Run the workflow up to the loop first';
  return {
    /** Nodes inside a loop run only with their loop, and `repeat` has no items. */
    isOffered: loop?.type === 'for_each' && runs.isPossible,
    isStarting: runs.isStarting,
    refusal,
    start: () => {
      if (refusal === undefined && 'input' in cut) runs.withInput?.(cut.input);
      else if (refusal !== undefined) notifications.show({ color: 'weld', message: `${refusal}.` });
    },
  };
}
