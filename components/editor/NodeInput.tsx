import { Text } from '@mantine/core';
import { DataView } from '../executions/DataView';
import { NothingYet } from '../executions/NothingYet';
import { OmittedData } from '../executions/OmittedData';
import { shown, useDraft } from './draft';
import { usePins } from './pins';
import { useRunData } from './run-data';
import { inputFor, omittedBefore, outputsBefore } from './scope';

/** What comes into a node, and what those before it gave: to look at, and to drag into its parameters. */
export function NodeInput({ nodeId }: { nodeId: string }) {
  const definition = useDraft(shown);
  const pins = usePins(useDraft((draft) => draft.saved.id));
  const { execution, results, rounds } = useRunData();
  const input = inputFor(definition, nodeId, results, pins);
  const others = Object.entries(outputsBefore(definition, nodeId, results, pins));
  const omitted = omittedBefore(definition, nodeId, results, pins);
  const isEmpty = input === undefined && others.length === 0 && omitted.length === 0;
  return (
    <>
      <Text fw={600} size="sm" mb="xs">
        Input
      </Text>
      {isEmpty && <NothingYet>Run the workflow once, and what comes in here shows up.</NothingYet>}
      {input !== undefined && <DataView label="input" value={input} path="input" />}
      {execution &&
        omitted.map(({ label, nodeId: id, bytes }) => (
          <OmittedData key={label} label={label} executionId={execution.id} nodeId={rounds.prefix + id} bytes={bytes} />
        ))}
      {others.map(([id, value]) => (
        <DataView key={id} label={`nodes.${id}`} value={value} path={`nodes.${id}`} isFolded />
      ))}
      {execution && !isEmpty && (
        <DataView
          label="execution"
          value={{ id: execution.id, workflowId: execution.workflowId, input: execution.input }}
          path="execution"
          isFolded
        />
      )}
    </>
  );
}
