import { Text } from '@mantine/core';
import { DataView } from '@/components/runs/data/DataView';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { nodeTitlesById } from '@/components/graph/summary';
import { EmptyDataText } from '@/components/runs/EmptyDataText';
import { OmittedData } from '@/components/runs/data/OmittedData';
import { buildExecutionVariables } from '@/components/forms/model/preview-expression';
import { canvasDefinition, useDraft } from '../draft/draft';
import { useCanvasPins } from '../pins/useCanvasPins';
import { useEditorRun } from '../run/editor-run';
import { nodeInputForPreview, omittedDataUpstream, outputsUpstream } from '../preview/preview-scope';

/** The input of a node and the outputs of nodes before it. Fields can be dragged into parameters. */
export function NodeInputData({ nodeId, catalogue }: { nodeId: string; catalogue: NodeTypesByName }) {
  const definition = useDraft(canvasDefinition);
  const pins = useCanvasPins();
  const { execution, results, rounds } = useEditorRun();
  const names = nodeTitlesById(definition, catalogue);
  const input = nodeInputForPreview(definition, nodeId, results, pins);
  const others = Object.entries(outputsUpstream(definition, nodeId, results, pins));
  const omitted = omittedDataUpstream(definition, nodeId, results, pins);
  const isEmpty = input === undefined && others.length === 0 && omitted.length === 0;
  return (
    <>
      <Text fw={600} size="sm" mb="xs">
        Input
      </Text>
      {isEmpty && <EmptyDataText>Run the workflow to see the input of this node.</EmptyDataText>}
      {input !== undefined && <DataView label="input" value={input} path="input" />}
      {execution &&
        omitted.map(({ label, nodeId: id, bytes }) => (
          <OmittedData key={label} label={label} executionId={execution.id} nodeId={rounds.prefix + id} bytes={bytes} />
        ))}
      {others.map(([id, value]) => (
        <DataView key={id} label={`nodes.${id}`} name={names[id]} value={value} path={`nodes.${id}`} isFolded />
      ))}
      {execution && !isEmpty && (
        <DataView label="execution" value={buildExecutionVariables(execution)} path="execution" isFolded />
      )}
    </>
  );
}
