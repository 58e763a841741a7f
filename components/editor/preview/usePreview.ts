import { useMemo } from 'react';
import type { Connector } from '@/contract/connectors/connector';
import type { Preview } from '@/components/forms/preview';
import { useConnectors, useDetailed } from '@/components/client/queries/useConnectors';
import { shown, useDraft } from '../draft/draft';
import { usePins } from '../pins/usePins';
import { useRunData } from '../run/run-data';
import { isService, samplesFor } from './samples';
import { previewFor } from './scope';
import { useVariables } from './useVariables';

const NO_CONNECTORS: Connector[] = [];

/** Preview data for the expressions of a node on the canvas. */
export function usePreview(nodeId: string): Preview {
  const definition = useDraft(shown);
  const pins = usePins();
  const { execution, results } = useRunData();
  const variables = useVariables();
  const services = definition.nodes.filter(isService);
  const listed = useConnectors(services.length > 0).data?.data ?? NO_CONNECTORS;
  const connectors = useDetailed(
    listed,
    services.map(({ config }) => String(config.connectorId)),
  );
  return useMemo(() => {
    const samples = samplesFor(definition, connectors, results);
    return previewFor(definition, nodeId, results, { ...samples, ...pins }, execution, variables);
  }, [definition, nodeId, results, pins, execution, variables, connectors]);
}
