import { CloseButton, Group, Modal, Tabs, VisuallyHidden } from '@mantine/core';
import { useEffect, type CSSProperties, type FocusEvent, type RefObject } from 'react';
import type { Node } from '@/contract/workflows/workflow';
import type { Catalogue } from '@/components/graph/flow';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import { useDrawnKind } from '@/components/client/queries/useReferences';
import { nodeTitle } from '@/components/graph/summary';
import { focusCard } from '@/components/canvas/focus-card';
import { focusFirstField } from '@/components/forms/model/focus-field';
import { PreviewContext } from '@/components/forms/preview';
import { ResizeEdge, useStoredWidth } from '@/components/ui/page/ResizeEdge';
import { shown, useDraft } from '../draft/draft';
import classes from './NodeDialog.module.css';
import { NodeInput } from './NodeInput';
import { NodeName } from './NodeName';
import { NodeOutput } from './NodeOutput';
import { NodeParameters } from './NodeParameters';
import { NodeRuns } from './NodeRuns';
import { NodeSettings } from './NodeSettings';
import { NodeSteps } from './NodeSteps';
import { useFieldFocus } from './useFieldFocus';
import { useNodeErrors } from './useNodeErrors';
import { useNodeChange } from './useNodeChange';
import { usePreview } from '../preview/usePreview';

interface Props {
  nodeId: string;
  catalogue: Catalogue;
  onGo(nodeId: string): void;
  onClose(): void;
}

/** The node dialog with three columns: input, parameters and output. */
export function NodeDialog(props: Props) {
  const node = useDraft((draft) => shown(draft).nodes.find(({ id }) => id === props.nodeId));
  return node ? <OpenNode {...props} node={node} /> : null;
}

/** The parameters keep at least 340 px in a dialog of 96 % of the window. */
const COLUMN = {
  initial: 380,
  least: 180,
  most: () => Math.max(180, (Math.min(1500, window.innerWidth * 0.96) - 340) / 2),
};

function OpenNode({ node, catalogue, onGo, onClose }: Props & { node: Node }) {
  const preview = usePreview(node.id);
  const kind = catalogue.get(node.type);
  const drawn = useDrawnKind(node, kind);
  const [left, right] = [useStoredWidth('weft.inputWidth', COLUMN), useStoredWidth('weft.outputWidth', COLUMN)];
  const { tab, onTab, place, marked, unmark, showField } = useFieldFocus(node.id, 'parameters', false);
  const errors = useNodeErrors(node.id, marked);
  const change = useNodeChange(node.id, unmark);
  const toFirstField = () => place.current && focusFirstField(place.current);
  const close = () => {
    onClose();
    // After the dialog has gone.
    setTimeout(() => focusCard(node.id));
  };
  /** The dialog moves the focus here when it opens, and when a dialog over it closes; then the focus stays where it was. */
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
            <NodeName node={node} kind={kind} onChange={change} onDone={toFirstField} />
          </div>
          <NodeSteps nodeId={node.id} onGo={onGo} />
          <div className={classes.runs}>
            <NodeRuns nodeId={node.id} />
          </div>
          <CloseButton aria-label="Close" className={classes.close} onClick={close} />
        </Group>
        <div className={classes.columns} style={widths}>
          <section className={classes.column} aria-label="Input">
            <ResizeEdge label="Width of the input" side="right" {...left} />
            <div className={classes.scroll}>
              <NodeInput nodeId={node.id} catalogue={catalogue} />
            </div>
          </section>
          <section className={classes.column} data-middle aria-label="Parameters">
            <div className={classes.scroll} ref={place}>
              <PreviewContext value={preview}>
                <FocusFirst key={node.id} place={place} />
                <Tabs value={tab} onChange={onTab} keepMounted={false}>
                  <Tabs.List mb="md">
                    <Tabs.Tab value="parameters">Parameters</Tabs.Tab>
                    <Tabs.Tab value="settings">Settings</Tabs.Tab>
                  </Tabs.List>
                  <Tabs.Panel value="parameters">
                    <NodeParameters key={node.id} node={node} kind={kind} errors={errors} onChange={change} />
                  </Tabs.Panel>
                  <Tabs.Panel value="settings">
                    <NodeSettings node={node} kind={kind} errors={errors} onChange={change} />
                  </Tabs.Panel>
                </Tabs>
              </PreviewContext>
            </div>
          </section>
          <section className={classes.column} aria-label="Output">
            <ResizeEdge label="Width of the output" side="left" {...right} />
            <div className={classes.scroll}>
              <NodeOutput key={node.id} nodeId={node.id} onShowField={showField} />
            </div>
          </section>
        </div>
      </Modal>
    </Modal.Stack>
  );
}

/** Moves the focus to the first field, once. */
function FocusFirst({ place }: { place: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    const timer = setTimeout(() => place.current && focusFirstField(place.current));
    return () => clearTimeout(timer);
  }, [place]);
  return null;
}
