import { Text } from '@mantine/core';
import { DataView } from '@/components/executions/data/DataView';
import type { Catalogue } from '@/components/graph/flow';
import { nodeTitle } from '@/components/graph/summary';
import { NothingYet } from '@/components/executions/NothingYet';
import { OmittedData } from '@/components/executions/data/OmittedData';
import { executionScope } from '@/components/forms/model/resolve';
import { shown, useDraft } from '../draft/draft';
import { usePins } from '../pins/usePins';
import { useRunData } from '../run/run-data';
import { inputFor, omittedBefore, outputsBefore } from '../preview/scope';

/** The input of a node and the outputs of nodes before it. Fields can be dragged into parameters. */
export function NodeInput({ nodeId, catalogue }: { nodeId: string; catalogue: Catalogue }) {
  const definition = useDraft(shown);
  const pins = usePins();
  const { execution, results, rounds } = useRunData();
  const names = new Map(definition.nodes.map((node) => [node.id, nodeTitle(node, catalogue.get(node.type))]));
  const input = inputFor(definition, nodeId, results, pins);
  const others = Object.entries(outputsBefore(definition, nodeId, results, pins));
  const omitted = omittedBefore(definition, nodeId, results, pins);
  const isEmpty = input === undefined && others.length === 0 && omitted.length === 0;
  return (
    <>
      <Text fw={600} size="sm" mb="xs">
        Input
      </Text>
      {isEmpty && <NothingYet>Run the workflow to see the input of this node.</NothingYet>}
      {input !== undefined && <DataView label="input" value={input} path="input" />}
      {execution &&
        omitted.map(({ label, nodeId: id, bytes }) => (
          <OmittedData key={label} label={label} executionId={execution.id} nodeId={rounds.prefix + id} bytes={bytes} />
        ))}
      {others.map(([id, value]) => (
        <DataView key={id} label={`nodes.${id}`} name={names.get(id)} value={value} path={`nodes.${id}`} isFolded />
      ))}
      {execution && !isEmpty && (
        <DataView label="execution" value={executionScope(execution)} path="execution" isFolded />
      )}
    </>
  );
}
