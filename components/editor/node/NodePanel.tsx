import { ActionIcon, Group, Tabs, Text, Tooltip } from '@mantine/core';
import { IconArrowsMaximize } from '@tabler/icons-react';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { focusCanvasNode } from '@/components/canvas/focus-canvas-node';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import { useDrawnNodeType } from '@/components/client/queries/useReferenceNames';
import { AgentConversation } from '@/components/runs/agent/AgentConversation';
import { EachItemData } from '@/components/runs/timeline/EachItemData';
import { LoopData } from '@/components/runs/timeline/LoopData';
import { LogList } from '@/components/runs/timeline/LogList';
import { NodeResultView } from '@/components/runs/NodeResultView';
import { PreviewDataContext } from '@/components/forms/preview-context';
import { SidePanel } from '@/components/ui/page/SidePanel';
import { OutdatedBadge } from './DataBadge';
import { nodeTitle } from '@/components/graph/summary';
import { FixNodeButton } from '../build/FixNodeButton';
import { ForEachSwitch } from './each/ForEachSwitch';
import { drawnIdInDraft } from '../frames/open-loops';
import { useAgentPartFocus } from './agent/useAgentPartFocus';
import { useEscapeToCard } from './useEscapeToCard';
import { useFieldFocus } from './useFieldFocus';
import { useNodeFieldErrors } from './useNodeFieldErrors';
import { useDraftStore } from '../draft/draft';
import { PreviewedOutput } from '../live/PreviewedOutput';
import { NodeNameInput } from './NodeNameInput';
import { NodeParameters } from './NodeParameters';
import { NodeSettings } from './NodeSettings';
import { PartialRunButtons } from './PartialRunButtons';
import { hasNodeStarted, useEditorRun } from '../run/editor-run';
import { useChangeNode } from './useChangeNode';
import { useNodePreview } from '../preview/useNodePreview';
import { useOutdatedNodes } from '../draft/useOutdatedNodes';

/** The rounds of a loop, the items of a node that runs for each, or the steps of an agent. */
const roundsTabTitle = ({ type, each }: WorkflowNode): string =>
  each ? 'Items' : type === 'agent' ? 'Conversation' : 'Rounds';

interface Props {
  node: WorkflowNode;
  catalogue: NodeTypesByName;
  /** The node failed in the run shown. */
  hasFailed: boolean;
  onOpen(): void;
}

/** Side panel of a node: name, parameters, settings, and result and logs of the run shown. */
export function NodePanel({ node, catalogue, hasFailed, onOpen }: Props) {
  const store = useDraftStore();
  const kind = catalogue.get(node.type);
  const drawn = useDrawnNodeType(node, kind);
  const { arriving, preview } = useNodePreview(node, catalogue);
  const { execution, results, rounds } = useEditorRun();
  const stale = useOutdatedNodes(execution);
  const resultId = rounds.prefix + node.id;
  const result = results.get(node.id);
  const isAgent = node.type === 'agent';
  const hasRounds = execution?.nodeResults.some(({ nodeId }) => nodeId.startsWith(`${resultId}[`)) ?? false;
  const hasConversation = isAgent && !node.each && hasRounds;
  const { tab, onTab, keepTab, place, marked, unmark, showField } = useFieldFocus(
    node.id,
    hasConversation ? 'rounds' : hasFailed ? 'result' : 'parameters',
    result !== undefined,
    hasConversation ? 'rounds' : 'result',
  );
  const errors = useNodeFieldErrors(node.id, marked);
  const change = useChangeNode(node.id, unmark);
  useAgentPartFocus(node);
  useEscapeToCard(node.id);
  return (
    <SidePanel
      label="Node"
      icon={<NodeIcon kind={drawn} />}
      title={
        <NodeNameInput
          node={node}
          kind={kind}
          onChange={change}
          onDone={() => focusCanvasNode(drawnIdInDraft(store.get(), node.id))}
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
        <PartialRunButtons nodeId={node.id} />
        {result && hasNodeStarted(result) && stale.has(node.id) && <OutdatedBadge />}
      </Group>
      <Tabs
        ref={place}
        value={tab}
        onChange={onTab}
        onFocusCapture={keepTab}
        keepMounted={false}
        styles={{ list: { flexWrap: 'nowrap' }, tab: { paddingInline: hasConversation || hasRounds ? 6 : 9 } }}
      >
        <Tabs.List mb="md">
          {hasConversation && <Tabs.Tab value="rounds">{roundsTabTitle(node)}</Tabs.Tab>}
          <Tabs.Tab value="parameters">Parameters</Tabs.Tab>
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
          {result && <Tabs.Tab value="result">Result</Tabs.Tab>}
          {hasRounds && !hasConversation && <Tabs.Tab value="rounds">{roundsTabTitle(node)}</Tabs.Tab>}
          {result && execution && !hasConversation && <Tabs.Tab value="logs">Logs</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="parameters">
          <ForEachSwitch node={node} kind={kind} arriving={arriving} errors={errors} onChange={change} />
          <PreviewDataContext value={preview}>
            <NodeParameters node={node} kind={kind} errors={errors} onChange={change} />
          </PreviewDataContext>
          <PreviewedOutput nodeId={node.id} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <ForEachSwitch node={node} kind={kind} arriving={arriving} errors={errors} isSetting onChange={change} />
          <NodeSettings node={node} kind={kind} errors={errors} onChange={change} />
        </Tabs.Panel>
        <Tabs.Panel value="result">
          {result && execution && (
            <NodeResultView
              executionId={execution.id}
              result={{ ...result, nodeId: resultId }}
              onShowField={showField}
              remedy={<FixNodeButton nodeId={node.id} error={result.error} />}
            />
          )}
          {execution && hasConversation && <LogList execution={execution} nodeId={resultId} />}
        </Tabs.Panel>
        <Tabs.Panel value="rounds">
          {execution && node.each && (
            <EachItemData
              execution={execution}
              node={node}
              place={resultId}
              title={nodeTitle(node, kind)}
              index={rounds.chosenAt(resultId)}
              onIndex={(index) => rounds.chooseAt(resultId, index)}
            />
          )}
          {execution && hasConversation && (
            <>
              {result?.error && (
                <Text size="sm" mb="sm" c="var(--weft-failed)">
                  {result.error.message}
                </Text>
              )}
              <AgentConversation execution={execution} place={resultId} />
            </>
          )}
          {execution && !node.each && !isAgent && (
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
