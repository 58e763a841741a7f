import { useMemo } from 'react';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { PreviewData } from '@/components/forms/preview-context';
import { useExpressionEvaluator } from '@/components/client/queries/useExpressionEvaluator';
import { useConnectors, useConnectorDetails } from '@/components/client/queries/useConnectors';
import { canvasDefinition, useDraft } from '../draft/draft';
import { useCanvasPins } from '../pins/useCanvasPins';
import { useEditorRun } from '../run/editor-run';
import { isConnectorNode, exampleOutputs } from './example-outputs';
import { buildNodePreview } from './preview-scope';
import { useWorkspaceVariables } from './useWorkspaceVariables';

const EMPTY_CONNECTORS: ConnectorResponse[] = [];

/** Preview data for the expressions of a node on the canvas. */
export function useNodePreview(nodeId: string): PreviewData {
  const definition = useDraft(canvasDefinition);
  const pins = useCanvasPins();
  const { execution, results } = useEditorRun();
  const variables = useWorkspaceVariables();
  const evaluate = useExpressionEvaluator();
  const timeZone = useDraft(({ saved }) => saved.settings.timeZone ?? undefined);
  const services = definition.nodes.filter(isConnectorNode);
  const listed = useConnectors(services.length > 0).data?.data ?? EMPTY_CONNECTORS;
  const connectors = useConnectorDetails(
    listed,
    services.map(({ config }) => String(config.connectorId)),
  );
  return useMemo(() => {
    const samples = exampleOutputs(definition, connectors, results);
    const preview = buildNodePreview(definition, nodeId, results, { ...samples, ...pins }, execution, variables);
    return { ...preview, evaluate: (request) => evaluate({ ...request, timeZone }) };
  }, [definition, nodeId, results, pins, execution, variables, connectors, evaluate, timeZone]);
}
