import { Text } from '@mantine/core';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import type { PreviewData } from '@/components/forms/preview-context';
import { DataView } from '@/components/runs/data/DataView';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { nodeTitlesById } from '@/components/graph/summary';
import { EmptyDataText } from '@/components/runs/EmptyDataText';
import { OmittedData } from '@/components/runs/data/OmittedData';
import { buildExecutionVariables } from '@/components/forms/model/preview-expression';
import { canvasDefinition, useDraft } from '../draft/draft';
import { useCanvasPins } from '../pins/useCanvasPins';
import { useEditorRun } from '../run/editor-run';
import { nodeInputForPreview, outputsUpstream } from '../preview/node-input';
import { omittedDataUpstream } from '../preview/preview-scope';

interface Props {
  node: WorkflowNode;
  catalogue: NodeTypesByName;
  /** What the expressions of the node see. */
  preview: PreviewData;
}

/** The input of a node and the outputs of nodes before it. Fields can be dragged into parameters. */
export function NodeInputData({ node: { id: nodeId, each }, catalogue, preview }: Props) {
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
      {each && preview.scope.item !== undefined && (
        <>
          <DataView label="item" value={preview.scope.item} path="item" />
          <DataView label="items" value={preview.scope.items} path="items" isFolded />
        </>
      )}
      {!each && input !== undefined && <DataView label="input" value={input} path="input" />}
      {execution &&
        omitted.map(({ label, nodeId: id, bytes }) => (
          <OmittedData key={label} label={label} executionId={execution.id} nodeId={rounds.prefix + id} bytes={bytes} />
        ))}
      {others.map(([id, value]) => (
        <DataView key={id} label={`nodes.${id}`} name={names[id]} value={value} path={`nodes.${id}`} isFolded />
      ))}
      {execution && !isEmpty && (
        <DataView label="this run" value={buildExecutionVariables(execution)} path="execution" isFolded />
      )}
    </>
  );
}
