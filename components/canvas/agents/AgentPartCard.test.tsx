// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createTRPCClient, httpLink } from '@trpc/client';
import type { NodeProps } from '@xyflow/react';
import { afterEach, expect, it } from 'vitest';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import type { AppRouter } from '@/server/api/http/trpc/trpc';
import { createObservableStore } from '@/components/client/store';
import { TRPCProvider } from '@/components/client/trpc';
import type { AgentPartItem } from '@/components/graph/agent-part-items';
import { agentPartId, type AgentPart } from '@/components/graph/agent-parts';
import { CanvasBadgesContext, EMPTY_CANVAS_BADGES, type CanvasBadges } from '../canvas-badges';
import { AgentPartContext, type AgentPartActions } from './agent-part-actions';
import { AgentPartCard } from './AgentPartCard';

afterEach(cleanup);

const client = createTRPCClient<AppRouter>({
  links: [
    httpLink({
      url: 'http://service.example/api/trpc',
      fetch: async () => Response.json({ result: { data: { name: 'Account of sales' } } }),
    }),
  ],
});

const kindOf = (type: string, title: string) =>
  ({ type, title, description: '', icon: '', category: 'ai', configSchema: {} }) as unknown as NodeTypeDescription;
const catalogue = new Map([kindOf('llm', 'Language model'), kindOf('code', 'Code')].map((kind) => [kind.type, kind]));
const agent = (more: Partial<WorkflowNode> = {}): WorkflowNode => ({
  id: 'support',
  type: 'agent',
  position: { x: 0, y: 0 },
  config: { tools: [{ name: 'add_up', type: 'code', config: {} }] },
  ...more,
});

function show(node: WorkflowNode, part: AgentPart, badges: Partial<CanvasBadges>, edits?: AgentPartActions['edits']) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const id = agentPartId(node.id, part);
  const props = { id, data: { agent: node, title: 'Support', part } } as unknown as NodeProps<AgentPartItem>;
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queries}>
        <TRPCProvider trpcClient={client} queryClient={queries}>
          <CanvasBadgesContext value={createObservableStore({ ...EMPTY_CANVAS_BADGES, ...badges })}>
            <AgentPartContext value={{ catalogue, ...(edits && { edits }) }}>
              <AgentPartCard {...props} />
            </AgentPartContext>
          </CanvasBadgesContext>
        </TRPCProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

it('says the model and whose account it uses, or that both are missing', async () => {
  show(agent(), { kind: 'model' }, {});
  expect(screen.getByText('No model chosen')).toBeTruthy();
  expect(screen.getByText('No account').dataset.missing).toBe('true');
  cleanup();
  const chosen = agent({ credentialId: 'cred_1', config: { model: 'm-1' }, labels: { model: 'Model One' } });
  show(chosen, { kind: 'model' }, {});
  expect(screen.getByText('Model One')).toBeTruthy();
  expect(await screen.findByText('Account of sales')).toBeTruthy();
});

it('says how much is remembered, or that the place for it is missing', () => {
  show(agent({ config: { memory: { key: 'k', window: 7 } } }), { kind: 'memory' }, {});
  expect(screen.getByText('Remembers 7 messages')).toBeTruthy();
  cleanup();
  show(agent({ config: { memory: {} } }), { kind: 'memory' }, {});
  expect(screen.getByText('No key yet')).toBeTruthy();
});

it('takes a tool of its agent that is dropped on it', () => {
  const moved: string[][] = [];
  const tools = ['one', 'two'].map((name) => ({ name, type: 'code', config: {} }));
  const edits = { onAdd: () => undefined, onRemove: () => undefined, onMove: (...ids: string[]) => moved.push(ids) };
  show(agent({ config: { tools } }), { kind: 'tool', index: 1 }, {}, edits);
  const data = new Map<string, string>();
  const dataTransfer = {
    setData: (type: string, value: string) => data.set(type, value),
    getData: (type: string) => data.get(type) ?? '',
    get types() {
      return [...data.keys()];
    },
  };
  const card = screen.getByText('two').closest('[draggable=true]')!;
  fireEvent.drop(card, { dataTransfer });
  data.set('application/x-weft-tool-of-other', 'other > tool 0');
  fireEvent.drop(card, { dataTransfer });
  expect(moved).toEqual([]);
  data.set('application/x-weft-tool-of-support', 'support > tool 0');
  fireEvent.dragOver(card, { dataTransfer });
  expect(card.getAttribute('data-over')).toBe('true');
  fireEvent.drop(card, { dataTransfer });
  expect(moved).toEqual([['support > tool 0', 'support > tool 1']]);
});

it('counts calls, shows problems, and is removed only where the canvas can be edited', () => {
  const tool = { kind: 'tool', index: 0 } as const;
  const id = 'support > tool 0';
  const badges = {
    agentCalls: new Map([[id, { count: 2, status: 'failed' as const }]]),
    issues: new Map([[id, ['Code is required']]]),
  };
  const removed: string[] = [];
  show(agent(), tool, badges, {
    onAdd: () => undefined,
    onRemove: (part) => removed.push(part),
    onMove: () => undefined,
  });
  expect(screen.getByText('add_up')).toBeTruthy();
  expect(screen.getByText('2 calls').title).toBe('Failed · 2 calls');
  expect(screen.getByLabelText('Problems: Code is required')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Remove Tool add_up of agent Support' }));
  expect(removed).toEqual([id]);
  cleanup();
  show(agent(), tool, badges);
  expect(screen.queryByRole('button')).toBeNull();
});
