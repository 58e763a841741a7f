import { describe, expect, it } from 'vitest';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { listPublicNodeTypes } from '@/server/workflow/nodes';
import { AGENT_TOOL_NODE_TYPES } from '@/server/workflow/nodes/ai/agent/tool-node-types';
import {
  addAgentMemory,
  addPickedPart,
  changeAgentTool,
  duplicateAgentTools,
  moveAgentTool,
  removeAgentParts,
} from './agent-edits';
import { TOOL_NODE_TYPES } from './agent-tools';

const types = new Map(listPublicNodeTypes().map((kind) => [kind.type, kind as NodeTypeDescription]));
const pick = (type: string, more = {}) => ({ nodeType: types.get(type)!, ...more });
const withAgent = (config: WorkflowNode['config'], more: Partial<WorkflowNode> = {}): WorkflowDefinition => ({
  nodes: [{ id: 'a', type: 'agent', position: { x: 0, y: 0 }, config, ...more }],
  connections: [],
});
const agentIn = (definition: WorkflowDefinition | undefined) => definition?.nodes[0];
const tool = (name: string) => ({ name, type: 'code', config: {} });

it('offers the types that the service takes as tools', () => {
  expect([...TOOL_NODE_TYPES].sort()).toEqual([...AGENT_TOOL_NODE_TYPES.keys()].sort());
});

describe('what is added to an agent', () => {
  it('is a tool, or its memory', () => {
    const config = { connectorId: 'slack', operation: 'messages.post' };
    const added = addPickedPart(withAgent({}), 'a', pick('connector', { config, name: 'Post a message' }));
    expect(added?.id).toBe('a > tool 0');
    expect(agentIn(added?.definition)?.config.tools).toEqual([{ name: 'post_a_message', type: 'connector', config }]);
    const memory = addPickedPart(withAgent({}), 'a', pick('remember'));
    expect([memory?.id, agentIn(memory?.definition)?.config]).toEqual(['a > memory', { memory: {} }]);
    expect(addPickedPart(withAgent({}), 'a', pick('delay'))).toBeUndefined();
    expect(addPickedPart(withAgent({}), 'gone', pick('code'))).toBeUndefined();
  });

  it('keeps a memory that is there', () => {
    expect(agentIn(addAgentMemory(withAgent({ memory: { key: 'k' } }), 'a')?.definition)?.config).toEqual({
      memory: { key: 'k' },
    });
  });
});

it('lets the approval follow the name of its tool', () => {
  const config = { tools: [tool('one'), tool('two')], approvals: { one: 'always' } };
  expect(changeAgentTool(config, 0, tool('first'))).toEqual({
    tools: [tool('first'), tool('two')],
    approvals: { first: 'always' },
  });
});

it('copies tools under names of their own', () => {
  const copied = duplicateAgentTools(withAgent({ tools: [tool('one'), tool('one_2')] }), ['a > tool 0', 'a > model']);
  expect(copied.ids).toEqual(['a > tool 2']);
  expect(agentIn(copied.definition)?.config.tools).toEqual([tool('one'), tool('one_2'), tool('one_3')]);
});

it('copies a tool with its approval and its labels', () => {
  const labels = { 'tools[0].config.tableId': 'Orders' };
  const one = withAgent({ tools: [tool('one')], approvals: { one: 'always' } }, { labels });
  expect(agentIn(duplicateAgentTools(one, ['a > tool 0']).definition)).toMatchObject({
    config: { approvals: { one: 'always', one_2: 'always' } },
    labels: { ...labels, 'tools[1].config.tableId': 'Orders' },
  });
});

it('moves a tool with its labels to another place', () => {
  const labels = { model: 'M', 'tools[0].config.tableId': 'Orders', 'tools[2].config.tableId': 'Mails' };
  const three = withAgent({ tools: [tool('one'), tool('two'), tool('three')] }, { labels });
  const down = moveAgentTool(three, 'a > tool 0', 2);
  expect(down?.id).toBe('a > tool 2');
  expect(agentIn(down?.definition)).toMatchObject({
    config: { tools: [tool('two'), tool('three'), tool('one')] },
    labels: { model: 'M', 'tools[2].config.tableId': 'Orders', 'tools[1].config.tableId': 'Mails' },
  });
  expect(moveAgentTool(down!.definition, 'a > tool 2', 0)?.definition).toEqual(three);
  expect(moveAgentTool(three, 'a > tool 0', 3)).toBeUndefined();
  expect(moveAgentTool(three, 'a > model', 1)).toBeUndefined();
});

it('leaves a tool its approval while the name of another is typed', () => {
  const config = { tools: [tool('refund'), tool('refund_2')], approvals: { refund: 'always' } };
  const typed = changeAgentTool(config, 1, tool('refund'));
  expect(changeAgentTool(typed, 1, tool('refundx'))).toMatchObject({
    tools: [tool('refund'), tool('refundx')],
    approvals: { refund: 'always' },
  });
});

describe('what is removed from an agent', () => {
  const config = {
    model: 'm',
    instructions: 'i',
    memory: { key: 'k' },
    tools: [tool('one'), tool('two'), tool('three')],
    approvals: { two: 'always', three: 'always' },
  };
  const labels = {
    model: 'Model M',
    'tools[0].config.tableId': 'Orders',
    'tools[1].config.tableId': 'Mails',
    'tools[2].config.tableId': 'Persons',
  };
  const full = withAgent(config, { credentialId: 'cred_1', labels });

  it('takes its approval and its labels along; those behind it move up', () => {
    const left = agentIn(removeAgentParts(full, ['a > tool 1']));
    expect(left).toEqual({
      id: 'a',
      type: 'agent',
      position: { x: 0, y: 0 },
      credentialId: 'cred_1',
      config: { ...config, tools: [tool('one'), tool('three')], approvals: { three: 'always' } },
      labels: { model: 'Model M', 'tools[0].config.tableId': 'Orders', 'tools[1].config.tableId': 'Persons' },
    });
  });

  it('may be several parts at once, the model with its account', () => {
    const ids = ['a > model', 'a > memory', 'a > tool 0', 'a > tool 1', 'a > tool 2'];
    expect(agentIn(removeAgentParts(full, ids))).toEqual({
      id: 'a',
      type: 'agent',
      position: { x: 0, y: 0 },
      config: { instructions: 'i' },
    });
  });

  it('is nothing where no part is named', () => {
    expect(removeAgentParts(full, ['a', 'x > model']).nodes).toEqual(full.nodes);
  });
});
