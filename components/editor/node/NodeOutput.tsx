import { ActionIcon, Button, Group, Text, Tooltip } from '@mantine/core';
import { IconPencil, IconPin, IconPinFilled } from '@tabler/icons-react';
import { useState } from 'react';
import { DataView } from '@/components/executions/data/DataView';
import { NodeResultView } from '@/components/executions/NodeResultView';
import { NothingYet } from '@/components/executions/NothingYet';
import { useActions } from '../commands/actions';
import { usePins } from '../pins/usePins';
import { FixButton } from '../build/FixButton';
import { OutdatedMark } from './DataMark';
import { PinEditor } from './PinEditor';
import { hasRun, useRunData } from '../run/run-data';
import { useStale } from '../draft/useStale';
import classes from './NodeOutput.module.css';

/** The output of a node in the run shown, or its pinned output. */
export function NodeOutput({ nodeId, onShowField }: { nodeId: string; onShowField(field: string): void }) {
  const { pin } = useActions();
  const pins = usePins();
  const { execution, results, rounds } = useRunData();
  const stale = useStale(execution);
  const [isEditing, setEditing] = useState(false);
  const result = results.get(nodeId);
  const isPinned = nodeId in pins;
  const output = isPinned ? pins[nodeId] : result?.output;
  const keep = (value: unknown) => {
    setEditing(false);
    pin(nodeId, value);
  };
  return (
    <>
      <Group justify="space-between" mb="xs" wrap="nowrap" mih={28}>
        <Group gap={8}>
          <Text fw={600} size="sm">
            Output
          </Text>
          {!isPinned && result && hasRun(result) && stale.has(nodeId) && <OutdatedMark />}
        </Group>
        {!isPinned && !isEditing && (
          <Group gap={2} wrap="nowrap">
            <Tooltip label="Enter an output in place of running the node">
              <ActionIcon aria-label="Enter an output" onClick={() => setEditing(true)}>
                <IconPencil size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
            {output !== undefined && (
              <Tooltip label="Pin the output: runs from the editor use it, and the node does not run">
                <ActionIcon aria-label="Pin the output" onClick={() => keep(output)}>
                  <IconPin size={16} aria-hidden />
                </ActionIcon>
              </Tooltip>
            )}
          </Group>
        )}
      </Group>
      {isPinned && !isEditing && <PinNote onEdit={() => setEditing(true)} onUnpin={() => keep(undefined)} />}
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
              remedy={<FixButton nodeId={nodeId} error={result.error} />}
            />
          )}
          {isPinned && <DataView label="output" value={output} />}
          {output === undefined && !result && <NothingYet>Run this node to see its output.</NothingYet>}
        </>
      )}
    </>
  );
}

/** Says what a pin does, and changes or removes it. */
function PinNote({ onEdit, onUnpin }: { onEdit(): void; onUnpin(): void }) {
  return (
    <div className={classes.pinned}>
      <IconPinFilled size={16} aria-hidden />
      <Text size="sm" className={classes.pinnedText}>
        <strong>Pinned.</strong> Runs from the editor use this output, and the node does not run.
      </Text>
      <Group gap={6} wrap="nowrap">
        <Button size="compact-sm" variant="default" aria-label="Edit the pinned output" onClick={onEdit}>
          Edit
        </Button>
        <Button size="compact-sm" variant="default" aria-label="Unpin the output" onClick={onUnpin}>
          Unpin
        </Button>
      </Group>
    </div>
  );
}
