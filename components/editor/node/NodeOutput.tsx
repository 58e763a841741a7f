import { ActionIcon, Group, Text, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPencil, IconPin, IconPinFilled } from '@tabler/icons-react';
import { useState } from 'react';
import { DataView } from '@/components/executions/data/DataView';
import { NodeResultView } from '@/components/executions/NodeResultView';
import { NothingYet } from '@/components/executions/NothingYet';
import { DataMark, OutdatedMark } from './DataMark';
import { useDraft, useDraftStore } from '../draft/draft';
import { pinAsStep } from '../draft/history';
import { PinEditor } from './PinEditor';
import { usePins } from '../preview/pins';
import { hasRun, useRunData } from '../run/run-data';
import { useStale } from '../draft/useStale';

/** The output of a node in the run shown, or its pinned output. */
export function NodeOutput({ nodeId, onShowField }: { nodeId: string; onShowField(field: string): void }) {
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
    notifications.show({
      color: 'madder',
      title: 'Not pinned',
      message: 'The output is too large for the storage of this browser.',
    });
  };
  return (
    <>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Group gap={8}>
          <Text fw={600} size="sm">
            Output
          </Text>
          {isPinned && (
            <DataMark
              label="Pinned"
              hint="Expression previews and runs from the editor use this output. The node does not run."
            />
          )}
          {!isPinned && result && hasRun(result) && stale.has(nodeId) && <OutdatedMark />}
        </Group>
        <Group gap={2} wrap="nowrap">
          <Tooltip label={isPinned ? 'Edit the pinned output' : 'Enter an output in place of running the node'}>
            <ActionIcon aria-label="Edit the pinned output" onClick={() => setEditing(true)}>
              <IconPencil size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
          {output !== undefined && (
            <Tooltip
              label={
                isPinned
                  ? 'Unpin the output'
                  : 'Pin the output: runs from the editor use it, and the node does not run. Kept in this browser'
              }
            >
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
              onShowField={onShowField}
            />
          )}
          {isPinned && <DataView label="output" value={output} />}
          {output === undefined && !result && <NothingYet>Run this node to see its output.</NothingYet>}
        </>
      )}
    </>
  );
}
