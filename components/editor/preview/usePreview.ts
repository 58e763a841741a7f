import { useMemo } from 'react';
import type { Preview } from '@/components/forms/preview';
import { useConnectors } from '@/components/credentials/useConnectors';
import { shown, useDraft } from '../draft/draft';
import { usePins } from '../pins/usePins';
import { useRunData } from '../run/run-data';
import { isService, samplesFor } from './samples';
import { previewFor } from './scope';
import { useVariables } from './useVariables';

/** Preview data for the expressions of a node on the canvas. */
export function usePreview(nodeId: string): Preview {
  const definition = useDraft(shown);
  const pins = usePins();
  const { execution, results } = useRunData();
  const variables = useVariables();
  const { data } = useConnectors(definition.nodes.some(isService));
  return useMemo(() => {
    const samples = samplesFor(definition, data?.data ?? [], results);
    return previewFor(definition, nodeId, results, { ...samples, ...pins }, execution, variables);
  }, [definition, nodeId, results, pins, execution, variables, data]);
}
