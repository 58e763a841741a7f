import { ActionIcon, Group, Text, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPencil, IconPin, IconPinFilled } from '@tabler/icons-react';
import { useState } from 'react';
import { DataView } from '../executions/DataView';
import { NodeResultView } from '../executions/NodeResultView';
import { NothingYet } from '../executions/NothingYet';
import { DataMark, OutdatedMark } from './DataMark';
import { useDraft, useDraftStore } from './draft';
import { pinAsStep } from './history';
import { PinEditor } from './PinEditor';
import { usePins } from './pins';
import { hasRun, useRunData } from './run-data';
import { useStale } from './useStale';

/** What a node gave in the run shown, or what is pinned in its place. */
export function NodeOutput({ nodeId }: { nodeId: string }) {
  const store = useDraftStore();
  const workflowId = useDraft((draft) => draft.saved.id);
  const pins = usePins(workflowId);
  const { execution, results, rounds } = useRunData();
  const stale = useStale(execution);
  const [isEditing, setEditing] = useState(false);
  const result = results.get(nodeId);
  const isPinned = nodeId in pins;
  const output = isPinned ? pins[nodeId] : result?.output;
  const keep = (value: unknown) => {
    setEditing(false);
    if (pinAsStep(store, nodeId, value)) return;
    notifications.show({ color: 'madder', title: 'Not pinned', message: 'It is too large for this browser to keep.' });
  };
  return (
    <>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Group gap={8}>
          <Text fw={600} size="sm">
            Output
          </Text>
          {isPinned && (
            <DataMark label="Pinned" hint="Expressions are tried with this instead of what the last run gave." />
          )}
          {!isPinned && result && hasRun(result) && stale.has(nodeId) && <OutdatedMark />}
        </Group>
        <Group gap={2} wrap="nowrap">
          <Tooltip label={isPinned ? 'Change what is pinned' : 'Write data to try expressions with'}>
            <ActionIcon aria-label="Edit the pinned output" onClick={() => setEditing(true)}>
              <IconPencil size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
          {output !== undefined && (
            <Tooltip label={isPinned ? 'Let go of it' : 'Keep for writing expressions; in this browser only'}>
              <ActionIcon
                aria-label={isPinned ? 'Unpin the output' : 'Pin the output'}
                onClick={() => keep(isPinned ? undefined : output)}
              >
                {isPinned ? <IconPinFilled size={16} aria-hidden /> : <IconPin size={16} aria-hidden />}
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      </Group>
      {isEditing ? (
        <PinEditor value={output} onKeep={keep} onCancel={() => setEditing(false)} />
      ) : (
        <>
          {result && execution && (
            <NodeResultView
              executionId={execution.id}
              result={{ ...result, nodeId: rounds.prefix + nodeId }}
              hasInput={false}
              hasOutput={!isPinned}
            />
          )}
          {isPinned && <DataView label="output" value={output} />}
          {output === undefined && !result && <NothingYet>Run it once, and what it gives shows up here.</NothingYet>}
        </>
      )}
    </>
  );
}
