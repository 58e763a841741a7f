import { ActionIcon, Button, Group, Text, Tooltip } from '@mantine/core';
import { IconPencil, IconPin, IconPinFilled } from '@tabler/icons-react';
import { useState } from 'react';
import { AgentConversation } from '@/components/runs/agent/AgentConversation';
import { DataView } from '@/components/runs/data/DataView';
import { NodeResultView } from '@/components/runs/NodeResultView';
import { EmptyDataText } from '@/components/runs/EmptyDataText';
import { useEditorActions } from '../commands/editor-actions';
import { useCanvasPins } from '../pins/useCanvasPins';
import { FixNodeButton } from '../build/FixNodeButton';
import { OutdatedBadge } from './DataBadge';
import { PreviewedOutput } from '../live/PreviewedOutput';
import { PinnedOutputEditor } from './PinnedOutputEditor';
import { hasNodeStarted, useEditorRun } from '../run/editor-run';
import { canvasDefinition, useDraft } from '../draft/draft';
import { useOutdatedNodes } from '../draft/useOutdatedNodes';
import classes from './NodeOutputData.module.css';

/** The output of a node in the run shown, or its pinned output. */
export function NodeOutputData({ nodeId, onShowField }: { nodeId: string; onShowField(field: string): void }) {
  const { pin } = useEditorActions();
  const pins = useCanvasPins();
  const { execution, results, rounds } = useEditorRun();
  const stale = useOutdatedNodes(execution);
  const isAgent = useDraft((draft) =>
    canvasDefinition(draft).nodes.some(({ id, type, each }) => id === nodeId && type === 'agent' && !each),
  );
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
          {!isPinned && result && hasNodeStarted(result) && stale.has(nodeId) && <OutdatedBadge />}
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
      <PreviewedOutput nodeId={nodeId} />
      {isPinned && !isEditing && <PinnedOutputNote onEdit={() => setEditing(true)} onUnpin={() => keep(undefined)} />}
      {isEditing ? (
        <PinnedOutputEditor value={output} onKeep={keep} onCancel={() => setEditing(false)} />
      ) : (
        <>
          {execution && isAgent && <AgentConversation execution={execution} place={rounds.prefix + nodeId} />}
          {result && execution && (
            <NodeResultView
              executionId={execution.id}
              result={{ ...result, nodeId: rounds.prefix + nodeId }}
              hasInput={false}
              hasOutput={!isPinned}
              onShowField={onShowField}
              remedy={<FixNodeButton nodeId={nodeId} error={result.error} />}
            />
          )}
          {isPinned && <DataView label="output" value={output} />}
          {output === undefined && !result && <EmptyDataText>Run this node to see its output.</EmptyDataText>}
        </>
      )}
    </>
  );
}

/** Explains the pin, with buttons that edit and remove it. */
function PinnedOutputNote({ onEdit, onUnpin }: { onEdit(): void; onUnpin(): void }) {
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
