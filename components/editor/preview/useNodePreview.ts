import { useEffect, useMemo, useState } from 'react';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { previewExpression } from '@/components/forms/model/preview-expression';
import type { PreviewData } from '@/components/forms/preview-context';
import { useConnectors, useConnectorDetails } from '@/components/client/queries/useConnectors';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { nodeTitlesById } from '@/components/graph/summary';
import { canvasDefinition, useDraft } from '../draft/draft';
import { useCanvasPins } from '../pins/useCanvasPins';
import { useEditorRun } from '../run/editor-run';
import { isConnectorNode, exampleOutputs } from './example-outputs';
import { knownEachList, previewFirstItem } from './each-scope';
import { buildNodePreview } from './preview-scope';
import { useWorkspaceVariables } from './useWorkspaceVariables';

const EMPTY_CONNECTORS: ConnectorResponse[] = [];

/**
 * Preview data for a node on the canvas: what arrives, and what its expressions see, which is one item where it runs
 * for each.
 */
export function useNodePreview(
  node: WorkflowNode,
  catalogue: NodeTypesByName,
): { arriving: PreviewData; preview: PreviewData } {
  const arriving = useArrivingData(node.id, catalogue);
  const known = knownEachList(node, arriving);
  const list = useEvaluatedList(known === undefined ? node.each?.items : undefined, arriving) ?? known;
  const { each, disabled } = node;
  const preview = useMemo(
    () => (each && !disabled ? previewFirstItem(arriving, list) : arriving),
    [each, disabled, arriving, list],
  );
  return { arriving, preview };
}

/** The value of an expression that is no path, once it is evaluated. */
function useEvaluatedList(source: string | undefined, preview: PreviewData): unknown {
  const [value, setValue] = useState<unknown>();
  useEffect(() => {
    setValue(undefined);
    if (source === undefined || !preview.hasData) return;
    let isOver = false;
    void previewExpression(source, preview.scope, true).then((outcome) => {
      if (!isOver && 'value' in outcome) setValue(outcome.value);
    });
    return () => {
      isOver = true;
    };
  }, [source, preview]);
  return value;
}

function useArrivingData(nodeId: string, catalogue: NodeTypesByName): PreviewData {
  const definition = useDraft(canvasDefinition);
  const pins = useCanvasPins();
  const { execution, results } = useEditorRun();
  const variables = useWorkspaceVariables();
  const services = definition.nodes.filter(isConnectorNode);
  const listed = useConnectors(services.length > 0).data?.data ?? EMPTY_CONNECTORS;
  const connectors = useConnectorDetails(
    listed,
    services.map(({ config }) => String(config.connectorId)),
  );
  return useMemo(() => {
    const samples = exampleOutputs(definition, connectors, results);
    return buildNodePreview(definition, nodeId, {
      results,
      pins: { ...samples, ...pins },
      execution,
      vars: variables,
      titles: nodeTitlesById(definition, catalogue),
    });
  }, [definition, nodeId, catalogue, results, pins, execution, variables, connectors]);
}
