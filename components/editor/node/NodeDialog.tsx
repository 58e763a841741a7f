import { CloseButton, Group, Modal, Tabs, VisuallyHidden } from '@mantine/core';
import { useEffect, type CSSProperties, type FocusEvent, type RefObject } from 'react';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import { useDrawnNodeType } from '@/components/client/queries/useReferenceNames';
import { nodeTitle } from '@/components/graph/summary';
import { focusCanvasNode } from '@/components/canvas/focus-canvas-node';
import { focusFirstField } from '@/components/forms/model/focus-field';
import { PreviewDataContext } from '@/components/forms/preview-context';
import { ResizeHandle, useStoredWidth } from '@/components/ui/page/ResizeHandle';
import { canvasDefinition, useDraft, useDraftStore } from '../draft/draft';
import { drawnIdInDraft } from '../frames/open-loops';
import classes from './NodeDialog.module.css';
import { NodeInputData } from './NodeInputData';
import { NodeNameInput } from './NodeNameInput';
import { NodeOutputData } from './NodeOutputData';
import { NodeParameters } from './NodeParameters';
import { PartialRunButtons } from './PartialRunButtons';
import { NodeSettings } from './NodeSettings';
import { NeighbourNodeButtons } from './NeighbourNodeButtons';
import { ForEachSwitch } from './each/ForEachSwitch';
import { AgentPartDialog } from './agent/AgentPartDialog';
import { useAgentPart } from './agent/useAgentPart';
import { useAgentPartFocus } from './agent/useAgentPartFocus';
import { useFieldFocus } from './useFieldFocus';
import { useNodeFieldErrors } from './useNodeFieldErrors';
import { useChangeNode } from './useChangeNode';
import { useNodePreview } from '../preview/useNodePreview';

interface Props {
  nodeId: string;
  catalogue: NodeTypesByName;
  onGo(nodeId: string): void;
  onClose(): void;
}

/** The node dialog with three columns: input, parameters and output; for a part of an agent its form alone. */
export function NodeDialog(props: Props) {
  const node = useDraft((draft) => canvasDefinition(draft).nodes.find(({ id }) => id === props.nodeId));
  const part = useAgentPart(props.nodeId);
  if (part) return <AgentPartDialog {...part} catalogue={props.catalogue} onClose={props.onClose} />;
  return node ? <OpenNodeDialog {...props} node={node} /> : null;
}

/** The parameters keep at least 340 px in a dialog of 96 % of the window. */
const COLUMN_WIDTH_LIMITS = {
  initial: 380,
  least: 180,
  most: () => Math.max(180, (Math.min(1500, window.innerWidth * 0.96) - 340) / 2),
};

function OpenNodeDialog({ node, catalogue, onGo, onClose }: Props & { node: WorkflowNode }) {
  const store = useDraftStore();
  const { arriving, preview } = useNodePreview(node, catalogue);
  const kind = catalogue.get(node.type);
  const drawn = useDrawnNodeType(node, kind);
  const [left, right] = [
    useStoredWidth('weft.inputWidth', COLUMN_WIDTH_LIMITS),
    useStoredWidth('weft.outputWidth', COLUMN_WIDTH_LIMITS),
  ];
  const { tab, onTab, place, marked, unmark, showField } = useFieldFocus(node.id, 'parameters', false);
  useAgentPartFocus(node);
  const errors = useNodeFieldErrors(node.id, marked);
  const change = useChangeNode(node.id, unmark);
  const toFirstField = () => place.current && focusFirstField(place.current);
  const close = () => {
    onClose();
    // The card can take the focus only after the dialog is removed.
    setTimeout(() => focusCanvasNode(drawnIdInDraft(store.get(), node.id)));
  };
  /**
   * The dialog moves the focus here when it opens, and when a dialog over it closes; then the focus stays where it was.
   */
  const onInitialFocus = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    const isBack = relatedTarget instanceof HTMLElement && currentTarget.closest('section')?.contains(relatedTarget);
    if (isBack) relatedTarget.focus({ preventScroll: true });
    else toFirstField();
  };
  const widths = { '--left': `${left.width}px`, '--right': `${right.width}px` } as CSSProperties;
  return (
    <Modal.Stack>
      <Modal
        opened
        stackId="node"
        onClose={close}
        returnFocus={false}
        size="min(1500px, 96vw)"
        padding={0}
        withCloseButton={false}
        classNames={{ body: classes.body, header: classes.hidden }}
        title={<VisuallyHidden>{nodeTitle(node, kind)}</VisuallyHidden>}
      >
        <VisuallyHidden data-autofocus tabIndex={-1} onFocus={onInitialFocus} />
        <Group gap="sm" className={classes.heading}>
          <NodeIcon kind={drawn} size={30} />
          <div className={classes.name}>
            <NodeNameInput node={node} kind={kind} onChange={change} onDone={toFirstField} />
          </div>
          <NeighbourNodeButtons nodeId={node.id} onGo={onGo} />
          <div className={classes.runs}>
            <PartialRunButtons nodeId={node.id} />
          </div>
          <CloseButton aria-label="Close" className={classes.close} onClick={close} />
        </Group>
        <div className={classes.columns} style={widths}>
          <section className={classes.column} aria-label="Input">
            <ResizeHandle label="Width of the input" side="right" {...left} />
            <div className={classes.scroll}>
              <NodeInputData node={node} catalogue={catalogue} preview={preview} />
            </div>
          </section>
          <section className={classes.column} data-middle aria-label="Parameters">
            <div className={classes.scroll} ref={place}>
              <PreviewDataContext value={preview}>
                <FirstFieldFocus key={node.id} place={place} />
                <Tabs value={tab} onChange={onTab} keepMounted={false}>
                  <Tabs.List mb="md">
                    <Tabs.Tab value="parameters">Parameters</Tabs.Tab>
                    <Tabs.Tab value="settings">Settings</Tabs.Tab>
                  </Tabs.List>
                  <Tabs.Panel value="parameters">
                    <ForEachSwitch node={node} kind={kind} arriving={arriving} errors={errors} onChange={change} />
                    <NodeParameters key={node.id} node={node} kind={kind} errors={errors} onChange={change} />
                  </Tabs.Panel>
                  <Tabs.Panel value="settings">
                    <ForEachSwitch
                      node={node}
                      kind={kind}
                      arriving={arriving}
                      errors={errors}
                      isSetting
                      onChange={change}
                    />
                    <NodeSettings node={node} kind={kind} errors={errors} onChange={change} />
                  </Tabs.Panel>
                </Tabs>
              </PreviewDataContext>
            </div>
          </section>
          <section className={classes.column} aria-label="Output">
            <ResizeHandle label="Width of the output" side="left" {...right} />
            <div className={classes.scroll}>
              <NodeOutputData key={node.id} nodeId={node.id} onShowField={showField} />
            </div>
          </section>
        </div>
      </Modal>
    </Modal.Stack>
  );
}

/** Moves the focus to the first field, once. */
function FirstFieldFocus({ place }: { place: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    const timer = setTimeout(() => place.current && focusFirstField(place.current));
    return () => clearTimeout(timer);
  }, [place]);
  return null;
}
