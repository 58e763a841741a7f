import { IconPlus } from '@tabler/icons-react';
import { use } from 'react';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { agentPartTop, listAgentParts } from '@/components/graph/agent-parts';
import { useIsDropTarget } from '../canvas-badges';
import { AgentPartContext } from './agent-part-actions';
import classes from './AgentPart.module.css';

interface Props {
  id: string;
  agent: WorkflowNode;
  title: string;
}

/** The buttons below the parts of an agent that add further ones, and the mark of an agent that takes a drop. */
export function AgentAttachments({ id, agent, title }: Props) {
  const { edits } = use(AgentPartContext);
  const isDropTarget = useIsDropTarget(id);
  if (!edits) return null;
  const parts = listAgentParts(agent);
  const place = agentPartTop(parts.length);
  const hasModel = agent.credentialId !== undefined || Boolean(agent.config.model);
  const hasMemory = parts.some(({ kind }) => kind === 'memory');
  return (
    <>
      {isDropTarget && <div className={classes.drop} aria-hidden />}
      <div className={`${classes.add} nodrag nopan`} style={{ top: `calc(100% + ${place}px)` }}>
        {!hasModel && (
          <AddPartButton label="Model" title={`Choose the model of ${title}`} onAdd={() => edits.onAdd(id, 'model')} />
        )}
        <AddPartButton label="Tool" title={`Add a tool to ${title}`} onAdd={() => edits.onAdd(id, 'tool')} />
        {!hasMemory && (
          <AddPartButton label="Memory" title={`Add memory to ${title}`} onAdd={() => edits.onAdd(id, 'memory')} />
        )}
      </div>
    </>
  );
}

function AddPartButton({ label, title, onAdd }: { label: string; title: string; onAdd(): void }) {
  return (
    // The keyboard equivalents are commands of the selected agent.
    <button
      type="button"
      tabIndex={-1}
      className={classes.addButton}
      aria-label={title}
      title={title}
      onClick={(event) => {
        event.stopPropagation();
        onAdd();
      }}
    >
      <IconPlus size={12} stroke={2.5} aria-hidden />
      {label}
    </button>
  );
}
