import { Button, Group, Input, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useEditorActions } from '../commands/editor-actions';
import { editCanvas, canvasDefinition, useDraft, useDraftStore } from '../draft/draft';

/** Chooses what happens after the last failed attempt: the run fails, or continues at the error port. */
export function OnErrorSetting({ nodeId }: { nodeId: string }) {
  const store = useDraftStore();
  const actions = useEditorActions();
  const definition = useDraft(canvasDefinition);
  const leaving = definition.connections.filter((c) => c.sourceNode === nodeId && c.sourcePort === 'error');
  const names = leaving.map(({ targetNode }) => {
    const target = definition.nodes.find(({ id }) => id === targetNode);
    return target?.name || targetNode;
  });
  const disconnect = () => {
    const connections = definition.connections.filter((connection) => !leaving.includes(connection));
    store.set(editCanvas(store.get(), { ...definition, connections }));
  };
  return (
    <Input.Wrapper
      label="On error"
      labelElement="div"
      description="Nodes connected to the error port receive the error and the run continues. Without a connection the run fails."
    >
      <Group gap="xs" mt={6}>
        <Text size="sm">{names.length ? `The run continues at ${names.join(', ')}.` : 'The run fails.'}</Text>
        {names.length ? (
          <Button variant="default" size="compact-sm" onClick={disconnect}>
            Fail the run
          </Button>
        ) : (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => actions.continueFrom({ nodeId, port: 'error', type: 'source' })}
          >
            Add error node
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}
