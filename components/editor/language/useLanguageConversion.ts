import { useMemo } from 'react';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { useExpressionEvaluator } from '@/components/client/queries/useExpressionEvaluator';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import type { RefusedField } from '@/import/languages/convert-definition';
import { pickMentionedScope } from '@/components/forms/model/preview-value';
import { useDraftStore } from '../draft/draft';
import { useCanvasPins } from '../pins/useCanvasPins';
import { buildNodePreview } from '../preview/preview-scope';
import { useWorkspaceVariables } from '../preview/useWorkspaceVariables';
import { useEditorRun } from '../run/editor-run';
import { proveConversions, type JudgedConversion } from './prove-conversion';

/** What the conversion of a workflow leads to. */
export interface JudgedDefinition {
  /** With marks at the fields that somebody has to look at. */
  definition: WorkflowDefinition;
  fields: JudgedConversion[];
  refused: RefusedField[];
}

/** Converts the open workflow, and compares results on the data of the run that is shown, and on pins. */
export function useLanguageConversion(catalogue: NodeTypesByName) {
  const store = useDraftStore();
  const { execution, results } = useEditorRun();
  const pins = useCanvasPins();
  const variables = useWorkspaceVariables();
  const evaluate = useExpressionEvaluator();
  return useMemo(
    () =>
      async (to: ExpressionLanguage): Promise<JudgedDefinition> => {
        const { definition, path, saved } = store.get();
        const { convertDefinition, markUnreviewed } = await import('@/import/languages/convert-definition');
        const previews = new Map<string, ReturnType<typeof buildNodePreview>>();
        // Pins and results are those of the canvas: inside loops no data is known.
        const previewAt = (at: readonly string[], nodeId: string) => {
          if (at.length > 0 || path.length > 0) return undefined;
          const preview =
            previews.get(nodeId) ??
            buildNodePreview(definition, nodeId, { results, pins, execution, vars: variables, titles: {} });
          previews.set(nodeId, preview);
          return preview.hasData && !preview.isPartial ? preview : undefined;
        };
        const {
          definition: next,
          converted,
          refused,
        } = convertDefinition(
          definition,
          to,
          (type) => catalogue.get(type)?.configSchema,
          (at, nodeId) => previewAt(at, nodeId)?.scope,
        );
        const scopes = new Map<string, Readonly<Record<string, unknown>>>();
        const fields = await proveConversions(
          converted,
          to,
          ({ path: at, nodeId, source, text }) => {
            const preview = previewAt(at, nodeId);
            if (!preview) return undefined;
            const scope = pickMentionedScope(`${source} ${text}`, preview.scope);
            const key = `${nodeId} ${Object.keys(scope).join()} ${Object.keys(scope['nodes'] ?? {}).join()}`;
            const known = scopes.get(key) ?? scope;
            scopes.set(key, known);
            return known;
          },
          (request) => evaluate({ ...request, timeZone: saved.settings.timeZone ?? undefined }),
        );
        const from = to === 'javascript' ? 'jsonata' : 'javascript';
        const open = fields.flatMap(({ doubt, ...field }) =>
          doubt === undefined ? [] : [{ ...field, reason: doubt }],
        );
        return { definition: markUnreviewed(next, open, from), fields, refused };
      },
    [store, catalogue, execution, results, pins, variables, evaluate],
  );
}
