import { ActionIcon, Group, Modal, Tabs, Text, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowLeft, IconArrowRight, IconPin, IconPinFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { NodeResult } from '@/contract/execution';
import type { Node } from '@/contract/workflow';
import type { Catalogue } from '../canvas/flow';
import { NodeIcon } from '../canvas/NodeIcon';
import { nodeTitle } from '../canvas/summary';
import { neighbour } from '../canvas/walk';
import { DataView } from '../executions/DataView';
import type { Run } from '../executions/live';
import { NodeResultView } from '../executions/NodeResultView';
import { PreviewContext } from '../forms/preview';
import { shown, useDraft } from './draft';
import classes from './NodeDialog.module.css';
import { NodeParameters } from './NodeParameters';
import { NodeSettings } from './NodeSettings';
import { NodeRuns } from './NodeRuns';
import { pin, usePins } from './pins';
import { inputFor, outputsBefore, previewFor } from './scope';
import { useNodeChange } from './useNodeChange';

interface Props {
  nodeId: string;
  catalogue: Catalogue;
  /** The run whose data is shown. */
  execution: Run | undefined;
  results: ReadonlyMap<string, NodeResult>;
  onGo(nodeId: string): void;
  onRun(executionId: string): void;
  onClose(): void;
}

/** One node wide open: what comes in, what it does with it, what comes out. */
export function NodeDialog(props: Props) {
  const node = useDraft((draft) => shown(draft).nodes.find(({ id }) => id === props.nodeId));
  return node ? <OpenNode {...props} node={node} /> : null;
}

function OpenNode({ node, catalogue, execution, results, onGo, onRun, onClose }: Props & { node: Node }) {
  const definition = useDraft(shown);
  const workflowId = useDraft((draft) => draft.saved.id);
  const pins = usePins(workflowId);
  const change = useNodeChange(node.id);
  const kind = catalogue.get(node.type);
  const result = results.get(node.id);
  const isPinned = node.id in pins;
  const output = isPinned ? pins[node.id] : result?.output;
  const input = inputFor(definition, node.id, results, pins);
  const others = outputsBefore(definition, node.id, results, pins);
  const go = (arrow: 'left' | 'right') => {
    const to = neighbour(definition, node.id, arrow);
    return to === undefined ? undefined : () => onGo(to);
  };
  const togglePin = () => {
    if (!pin(workflowId, node.id, isPinned ? undefined : output))
      notifications.show({
        color: 'madder',
        title: 'Not pinned',
        message: 'It is too large for this browser to keep.',
      });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      size="min(1500px, 96vw)"
      padding={0}
      classNames={{ body: classes.body, header: classes.header }}
      title={
        <Group gap="sm" wrap="nowrap">
          <NodeIcon kind={kind} size={30} />
          {nodeTitle(node, kind)}
          <Step label="Node before" icon={<IconArrowLeft size={16} />} run={go('left')} />
          <Step label="Node after" icon={<IconArrowRight size={16} />} run={go('right')} />
          <NodeRuns nodeId={node.id} execution={execution} hasRun={result !== undefined} onRun={onRun} />
        </Group>
      }
    >
      <div className={classes.columns}>
        <section className={classes.column} aria-label="Input">
          <Text fw={600} size="sm" mb="xs">
            Input
          </Text>
          {input === undefined && Object.keys(others).length === 0 && <Missing />}
          {input !== undefined && <DataView label="input" value={input} path="input" />}
          {Object.entries(others).map(([id, value]) => (
            <DataView key={id} label={`nodes.${id}`} value={value} path={`nodes.${id}`} isFolded />
          ))}
        </section>
        <section className={classes.column} data-middle aria-label="Parameters">
          <PreviewContext value={previewFor(definition, node.id, results, pins, execution)}>
            <Tabs defaultValue="parameters" keepMounted={false}>
              <Tabs.List mb="md">
                <Tabs.Tab value="parameters">Parameters</Tabs.Tab>
                <Tabs.Tab value="settings">Settings</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="parameters">
                <NodeParameters key={node.id} node={node} kind={kind} onChange={change} />
              </Tabs.Panel>
              <Tabs.Panel value="settings">
                <NodeSettings node={node} onChange={change} />
              </Tabs.Panel>
            </Tabs>
          </PreviewContext>
        </section>
        <section className={classes.column} aria-label="Output">
          <Group justify="space-between" mb="xs">
            <Text fw={600} size="sm">
              Output{isPinned && ' (pinned)'}
            </Text>
            {output !== undefined && (
              <Tooltip label={isPinned ? 'Let go of it' : 'Keep for writing expressions; in this browser only'}>
                <ActionIcon aria-label={isPinned ? 'Unpin the output' : 'Pin the output'} onClick={togglePin}>
                  {isPinned ? <IconPinFilled size={16} aria-hidden /> : <IconPin size={16} aria-hidden />}
                </ActionIcon>
              </Tooltip>
            )}
          </Group>
          {result?.error && <NodeResultView result={{ ...result, input: undefined, output: undefined }} />}
          {output === undefined ? !result?.error && <Missing /> : <DataView label="output" value={output} />}
        </section>
      </div>
    </Modal>
  );
}

function Step({ label, icon, run }: { label: string; icon: ReactNode; run: (() => void) | undefined }) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} disabled={!run} onClick={run}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}

function Missing() {
  return (
    <Text size="sm" c="dimmed">
      Nothing yet. Run the workflow once, and its data shows up here.
    </Text>
  );
}
