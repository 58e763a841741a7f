import { Tabs, Text, TextInput } from '@mantine/core';
import type { NodeResult } from '@/contract/execution';
import type { Node } from '@/contract/workflow';
import { changeNode } from '../canvas/edits';
import type { Catalogue } from '../canvas/flow';
import { NodeIcon } from '../canvas/NodeIcon';
import { nodeTitle } from '../canvas/summary';
import type { Run } from '../executions/live';
import { LogList } from '../executions/LogList';
import { NodeResultView } from '../executions/NodeResultView';
import type { Schema } from '../forms/schema';
import { SchemaForm } from '../forms/SchemaForm';
import { SidePanel } from '../ui/SidePanel';
import { changed, issuesByNode, useDraft, useDraftStore } from './draft';
import { NodeSettings } from './NodeSettings';

interface Props {
  node: Node;
  catalogue: Catalogue;
  execution: Run | undefined;
  result: NodeResult | undefined;
}

/** One node: its name, its config, how it behaves, and what it did in the run shown. */
export function NodePanel({ node, catalogue, execution, result }: Props) {
  const store = useDraftStore();
  const issues = useDraft((draft) => draft.issues);
  const kind = catalogue.get(node.type);
  const change = (part: Partial<Node>, field: string) => {
    const draft = store.get();
    store.set(changed(draft, changeNode(draft.definition, node.id, part), `${field} of ${node.id}`));
  };
  const own = issuesByNode(store.get().definition, issues).get(node.id) ?? [];
  const errors = new Map(own.map(({ field, message }) => [field.replace(/^config\.?/, ''), message]));
  return (
    <SidePanel
      label="Node"
      icon={<NodeIcon kind={kind} />}
      title={
        <TextInput
          variant="unstyled"
          aria-label="Name of the node"
          value={node.name ?? ''}
          placeholder={nodeTitle({ ...node, name: undefined }, kind)}
          maxLength={200}
          styles={{ input: { fontSize: 15, fontWeight: 600 } }}
          onChange={(event) => change({ name: event.currentTarget.value || undefined }, 'name')}
        />
      }
      onClose={() => store.set({ selectedId: undefined })}
    >
      <Tabs
        key={node.id}
        defaultValue={result && result.status !== 'skipped' && result.error ? 'result' : 'parameters'}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="parameters">Parameters</Tabs.Tab>
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
          {result && <Tabs.Tab value="result">Result</Tabs.Tab>}
          {result && execution && <Tabs.Tab value="logs">Logs</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="parameters">
          <Text size="sm" c="dimmed" mb="md">
            {kind?.description ?? `This installation doesn’t know the type “${node.type}”.`}
          </Text>
          {kind && (
            <SchemaForm
              schema={kind.configSchema as Schema}
              value={node.config}
              errors={errors}
              onChange={(config, field) => change({ config }, field)}
            />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <NodeSettings node={node} onChange={change} />
        </Tabs.Panel>
        <Tabs.Panel value="result">{result && <NodeResultView result={result} />}</Tabs.Panel>
        <Tabs.Panel value="logs">{execution && <LogList execution={execution} nodeId={node.id} />}</Tabs.Panel>
      </Tabs>
    </SidePanel>
  );
}
