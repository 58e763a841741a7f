import { CloseButton } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { NodeProps } from '@xyflow/react';
import { memo, use, useState, type DragEvent } from 'react';
import type { AgentPartItem } from '@/components/graph/agent-part-items';
import { agentPartTitle, partOwnerId, type AgentPart } from '@/components/graph/agent-parts';
import { LightTooltip } from '@/components/ui/LightTooltip';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { useAgentPartCalls, useNodeIssues } from '../canvas-badges';
import { toolDragType } from '../events';
import { NodeIcon } from '../NodeIcon';
import { AgentPartContext, type AgentPartActions } from './agent-part-actions';
import classes from './AgentPart.module.css';
import { useAgentPartText } from './useAgentPartText';

/** The model, the memory or a tool below an agent: what it is, what is missing, and its calls in the run shown. */
export const AgentPartCard = memo(function AgentPartCard({
  id,
  data: { agent, title, part },
  selected,
}: NodeProps<AgentPartItem>) {
  const { catalogue, edits } = use(AgentPartContext);
  const { name, summary, isMissing, kind } = useAgentPartText(agent, part, catalogue);
  const issues = useNodeIssues(id);
  const calls = useAgentPartCalls(id);
  const drag = useToolDrag(id, part, edits);
  const look = calls && RUN_STATUS_STYLE[calls.status];
  const label = `${agentPartTitle(agent, part)} of agent ${title}`;
  return (
    <div
      {...drag}
      className={`${classes.card} ${drag?.draggable ? 'nopan' : ''}`}
      data-tone={look?.tone}
      data-status={calls?.status}
      data-selected={selected || undefined}
      data-first={part.kind === 'model' || undefined}
    >
      <NodeIcon kind={kind} size={28} />
      <div className={classes.words}>
        <div className={classes.name}>{name}</div>
        <div className={classes.summary} data-missing={isMissing || undefined}>
          {summary}
        </div>
      </div>
      {issues && (
        <LightTooltip label={issues.join(' · ')}>
          <IconAlertCircle size={17} className={classes.issue} aria-label={`Problems: ${issues.join(' · ')}`} />
        </LightTooltip>
      )}
      {calls && look && (
        <span className={classes.calls} title={`${look.label} · ${callCountText(calls.count)}`}>
          {calls.count === 0 ? look.label : callCountText(calls.count)}
        </span>
      )}
      {edits && part.kind !== 'model' && (
        // The keyboard equivalent is Delete with the card selected.
        <CloseButton
          size={22}
          iconSize={14}
          tabIndex={-1}
          className={`${classes.remove} nodrag nopan`}
          aria-label={`Remove ${label}`}
          onClick={(event) => {
            event.stopPropagation();
            edits.onRemove(id);
          }}
        />
      )}
    </div>
  );
});

/** A tool is dragged to the place of another one of its agent. The keyboard equivalents are commands. */
function useToolDrag(id: string, part: AgentPart, edits: AgentPartActions['edits']) {
  const [isOver, setOver] = useState(false);
  if (!edits || part.kind !== 'tool') return undefined;
  const type = toolDragType(partOwnerId(id));
  const isWanted = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes(type);
  return {
    draggable: true,
    'data-over': isOver || undefined,
    onDragStart: ({ dataTransfer }: DragEvent) => {
      dataTransfer.setData(type, id);
      dataTransfer.effectAllowed = 'move';
    },
    onDragOver: (event: DragEvent) => {
      if (!isWanted(event)) return;
      event.preventDefault();
      setOver(true);
    },
    // The pointer also leaves a part of the card for another one.
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Element && currentTarget.contains(relatedTarget))) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      setOver(false);
      if (!isWanted(event)) return;
      event.stopPropagation();
      edits.onMove(event.dataTransfer.getData(type), id);
    },
  };
}

const callCountText = (count: number): string => (count === 1 ? '1 call' : `${count} calls`);
