import { Button, Group, Input, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useActions } from './actions';
import { edited, shown, useDraft, useDraftStore } from './draft';

/** What follows when a node has failed for good: the run fails, or goes on from the error port. */
export function ErrorPath({ nodeId }: { nodeId: string }) {
  const store = useDraftStore();
  const actions = useActions();
  const definition = useDraft(shown);
  const leaving = definition.connections.filter((c) => c.sourceNode === nodeId && c.sourcePort === 'error');
  const names = leaving.map(({ targetNode }) => {
    const target = definition.nodes.find(({ id }) => id === targetNode);
    return target?.name || targetNode;
  });
  const disconnect = () => {
    const connections = definition.connections.filter((connection) => !leaving.includes(connection));
    store.set(edited(store.get(), { ...definition, connections }));
  };
  return (
    <Input.Wrapper
      label="When it fails"
      labelElement="div"
      description="What is connected to its error port gets the message, and the run goes on. Without, the run fails."
    >
      <Group gap="xs" mt={6}>
        <Text size="sm">{names.length ? `The run goes on at ${names.join(', ')}.` : 'The run fails.'}</Text>
        {names.length ? (
          <Button variant="default" size="compact-sm" onClick={disconnect}>
            Let the run fail
          </Button>
        ) : (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => actions.continueFrom({ nodeId, port: 'error', type: 'source' })}
          >
            Go on with a step
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}
