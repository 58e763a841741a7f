import { ActionIcon, Group, Tabs, Tooltip } from '@mantine/core';
import { IconArrowsMaximize } from '@tabler/icons-react';
import type { Node } from '@/contract/workflows/workflow';
import type { Catalogue } from '@/components/graph/flow';
import { focusCard } from '@/components/canvas/focus-card';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import { useDrawnKind } from '@/components/client/queries/useReferences';
import { Conversation } from '@/components/executions/agent/Conversation';
import { LoopData } from '@/components/executions/timeline/LoopData';
import { LogList } from '@/components/executions/timeline/LogList';
import { NodeResultView } from '@/components/executions/NodeResultView';
import { PreviewContext } from '@/components/forms/preview';
import { SidePanel } from '@/components/ui/page/SidePanel';
import { OutdatedMark } from './DataMark';
import { FixButton } from '../build/FixButton';
import { useEscapeToCard } from './useEscapeToCard';
import { useFieldFocus } from './useFieldFocus';
import { useNodeErrors } from './useNodeErrors';
import { useDraftStore } from '../draft/draft';
import { NodeName } from './NodeName';
import { NodeParameters } from './NodeParameters';
import { NodeSettings } from './NodeSettings';
import { NodeRuns } from './NodeRuns';
import { hasRun, useRunData } from '../run/run-data';
import { useNodeChange } from './useNodeChange';
import { usePreview } from '../preview/usePreview';
import { useStale } from '../draft/useStale';

interface Props {
  node: Node;
  catalogue: Catalogue;
  /** The node failed in the run shown. */
  hasFailed: boolean;
  onOpen(): void;
}

/** Side panel of a node: name, parameters, settings, and result and logs of the run shown. */
export function NodePanel({ node, catalogue, hasFailed, onOpen }: Props) {
  const store = useDraftStore();
  const kind = catalogue.get(node.type);
  const drawn = useDrawnKind(node, kind);
  const preview = usePreview(node.id);
  const { execution, results, rounds } = useRunData();
  const stale = useStale(execution);
  const resultId = rounds.prefix + node.id;
  const result = results.get(node.id);
  const isAgent = node.type === 'agent';
  const hasRounds = execution?.nodeResults.some(({ nodeId }) => nodeId.startsWith(`${resultId}[`)) ?? false;
  const { tab, onTab, keepTab, place, marked, unmark, showField } = useFieldFocus(
    node.id,
    hasFailed ? 'result' : 'parameters',
    result !== undefined,
  );
  const errors = useNodeErrors(node.id, marked);
  const change = useNodeChange(node.id, unmark);
  useEscapeToCard(node.id);
  return (
    <SidePanel
      label="Node"
      icon={<NodeIcon kind={drawn} />}
      title={
        <NodeName
          node={node}
          kind={kind}
          onChange={change}
          onDone={() => focusCard(node.id)}
          rightSection={
            <Tooltip label="Open with input and output (Enter)">
              <ActionIcon aria-label="Open node dialog" onClick={onOpen}>
                <IconArrowsMaximize size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
          }
        />
      }
      onClose={() => store.set({ selectedIds: [] })}
    >
      <Group mb="sm" gap="sm">
        <NodeRuns nodeId={node.id} />
        {result && hasRun(result) && stale.has(node.id) && <OutdatedMark />}
      </Group>
      <Tabs
        ref={place}
        value={tab}
        onChange={onTab}
        onFocusCapture={keepTab}
        keepMounted={false}
        styles={{ tab: { paddingInline: 9 } }}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="parameters">Parameters</Tabs.Tab>
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
          {result && <Tabs.Tab value="result">Result</Tabs.Tab>}
          {hasRounds && <Tabs.Tab value="rounds">{isAgent ? 'Conversation' : 'Rounds'}</Tabs.Tab>}
          {result && execution && <Tabs.Tab value="logs">Logs</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="parameters">
          <PreviewContext value={preview}>
            <NodeParameters node={node} kind={kind} errors={errors} onChange={change} />
          </PreviewContext>
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <NodeSettings node={node} kind={kind} errors={errors} onChange={change} />
        </Tabs.Panel>
        <Tabs.Panel value="result">
          {result && execution && (
            <NodeResultView
              executionId={execution.id}
              result={{ ...result, nodeId: resultId }}
              onShowField={showField}
              remedy={<FixButton nodeId={node.id} error={result.error} />}
            />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="rounds">
          {execution && isAgent && <Conversation execution={execution} place={resultId} />}
          {execution && !isAgent && (
            <LoopData
              execution={execution}
              node={node}
              place={resultId}
              catalogue={catalogue}
              round={rounds.chosenAt(resultId)}
              onRound={(round) => rounds.chooseAt(resultId, round)}
            />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="logs">{execution && <LogList execution={execution} nodeId={resultId} />}</Tabs.Panel>
      </Tabs>
    </SidePanel>
  );
}
