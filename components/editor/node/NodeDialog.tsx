import { Group, Modal, Tabs, Text } from '@mantine/core';
import type { Node } from '@/contract/workflows/workflow';
import type { Catalogue } from '@/components/graph/flow';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import { nodeTitle } from '@/components/graph/summary';
import { PreviewContext } from '@/components/forms/preview';
import { shown, useDraft } from '../draft/draft';
import classes from './NodeDialog.module.css';
import { NodeInput } from './NodeInput';
import { NodeOutput } from './NodeOutput';
import { NodeParameters } from './NodeParameters';
import { NodeRuns } from './NodeRuns';
import { NodeSettings } from './NodeSettings';
import { NodeSteps } from './NodeSteps';
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

function OpenNode({ node, catalogue, onGo, onClose }: Props & { node: Node }) {
  const change = useNodeChange(node.id);
  const preview = usePreview(node.id);
  const kind = catalogue.get(node.type);
  return (
    <Modal.Stack>
      <Modal
        opened
        stackId="node"
        onClose={onClose}
        size="min(1500px, 96vw)"
        padding={0}
        classNames={{ body: classes.body, header: classes.header, title: classes.title }}
        title={
          <Group gap="sm" className={classes.heading}>
            <NodeIcon kind={kind} size={30} />
            <Text fw={620} truncate className={classes.name}>
              {nodeTitle(node, kind)}
            </Text>
            <NodeSteps nodeId={node.id} onGo={onGo} />
            <NodeRuns nodeId={node.id} />
          </Group>
        }
      >
        <div className={classes.columns}>
          <section className={classes.column} aria-label="Input">
            <NodeInput nodeId={node.id} />
          </section>
          <section className={classes.column} data-middle aria-label="Parameters">
            <PreviewContext value={preview}>
              <Tabs defaultValue="parameters" keepMounted={false}>
                <Tabs.List mb="md">
                  <Tabs.Tab value="parameters">Parameters</Tabs.Tab>
                  <Tabs.Tab value="settings">Settings</Tabs.Tab>
                </Tabs.List>
                <Tabs.Panel value="parameters">
                  <NodeParameters key={node.id} node={node} kind={kind} onChange={change} />
                </Tabs.Panel>
                <Tabs.Panel value="settings">
                  <NodeSettings node={node} kind={kind} onChange={change} />
                </Tabs.Panel>
              </Tabs>
            </PreviewContext>
          </section>
          <section className={classes.column} aria-label="Output">
            <NodeOutput key={node.id} nodeId={node.id} />
          </section>
        </div>
      </Modal>
    </Modal.Stack>
  );
}
