import { Modal } from '@mantine/core';
import { useRef } from 'react';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { useAgentPartText } from '@/components/canvas/agents/useAgentPartText';
import { focusCanvasNode } from '@/components/canvas/focus-canvas-node';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import { PreviewDataContext } from '@/components/forms/preview-context';
import { agentPartId, agentPartTitle, type AgentPart } from '@/components/graph/agent-parts';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { useDraftStore } from '../../draft/draft';
import { drawnIdInDraft } from '../../frames/open-loops';
import { useNodePreview } from '../../preview/useNodePreview';
import { useChangeNode } from '../useChangeNode';
import { useFieldFocus } from '../useFieldFocus';
import { useNodeFieldErrors } from '../useNodeFieldErrors';
import { AgentPartForm } from './AgentPartForm';
import { AgentPartHead } from './AgentPartHead';

interface Props {
  agent: WorkflowNode;
  part: AgentPart;
  catalogue: NodeTypesByName;
  onClose(): void;
}

/** The model, the memory or a tool of an agent in a dialog, with room for long texts. */
export function AgentPartDialog({ agent, part, catalogue, onClose }: Props) {
  const store = useDraftStore();
  const { kind } = useAgentPartText(agent, part, catalogue);
  const { preview } = useNodePreview(agent, catalogue);
  const { place, marked, unmark } = useFieldFocus(agent.id, 'parameters', false);
  const errors = useNodeFieldErrors(agent.id, marked);
  const change = useChangeNode(agent.id, unmark);
  const shown = useRef(agentPartId(agent.id, part));
  const close = () => {
    onClose();
    // The card can take the focus only after the dialog is removed.
    setTimeout(() => focusCanvasNode(drawnIdInDraft(store.get(), shown.current)));
  };
  return (
    <Modal.Stack>
      <Modal
        opened
        stackId="node"
        onClose={close}
        returnFocus={false}
        size="xl"
        title={
          <span style={{ display: 'flex', alignItems: 'center', gap: 10 }}>
            <NodeIcon kind={kind} size={30} />
            {agentPartTitle(agent, part)}
          </span>
        }
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <AgentPartHead agent={agent} part={part} catalogue={catalogue} />
        <div ref={place}>
          <PreviewDataContext value={preview}>
            <AgentPartForm agent={agent} part={part} catalogue={catalogue} errors={errors} onChange={change} />
          </PreviewDataContext>
        </div>
      </Modal>
    </Modal.Stack>
  );
}
