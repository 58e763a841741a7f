import { expect, it } from 'vitest';
import { toolArgumentNames, createAgentTool, sanitizeToolName, setToolApproval, applyMcpTool } from './agent-tools';

it('names a new tool unlike the others', () => {
  const first = createAgentTool({ nodeType: { type: 'http_request' } }, []);
  expect(first).toEqual({ name: 'call_api', type: 'http_request', config: {} });
  expect(createAgentTool({ nodeType: { type: 'http_request' } }, [first]).name).toBe('call_api_2');
});

it('names an operation of a service by its title', () => {
  const config = { connectorId: 'slack', operation: 'messages.post' };
  const post = { nodeType: { type: 'connector' }, config, name: 'Post a message (to a channel)' };
  const tool = createAgentTool(post, []);
  expect(tool).toEqual({ name: 'post_a_message_to_a_channel', type: 'connector', config });
  expect(createAgentTool(post, [tool]).name).toBe('post_a_message_to_a_channel_2');
  expect(createAgentTool({ nodeType: { type: 'code' }, name: '42' }, []).name).toBe('compute');
  // Results of the agent's own parts have these names.
  expect(createAgentTool({ nodeType: { type: 'code' }, name: 'Answer' }, []).name).toBe('answer_2');
});

it('adds and removes the approval of a tool', () => {
  const asked = setToolApproval({ model: 'm' }, 'refund', 'always');
  expect(asked).toEqual({ model: 'm', approvals: { refund: 'always' } });
  expect(setToolApproval(asked, 'refund', undefined)).toEqual({ model: 'm' });
});

it('writes names as providers take them', () => {
  expect(sanitizeToolName('look up Ördér')).toBe('look_up__rd_r');
});

it('knows the arguments of a tool by its schema, or by its expressions', () => {
  const config = { url: 'https://x.example/{{ input.id }}?q={{ $uppercase(input.text) }}' };
  expect(toolArgumentNames({ name: 'a', type: 'http_request', config })).toEqual(['id', 'text']);
  const inputSchema = { type: 'object', properties: { own: {} } };
  expect(toolArgumentNames({ name: 'a', type: 'http_request', config, inputSchema })).toEqual(['own']);
});

it('takes name, description and schema of a tool of a server', () => {
  const search = { name: 'docs.search', description: 'Searches', inputSchema: { type: 'object' } };
  const tool = applyMcpTool(createAgentTool({ nodeType: { type: 'mcp' } }, []), search);
  expect(tool).toEqual({
    name: 'docs_search',
    type: 'mcp',
    description: 'Searches',
    config: { tool: 'docs.search' },
    inputSchema: { type: 'object' },
  });
  expect(applyMcpTool(tool, { ...search, name: 'read' }).name).toBe('read');
  expect(applyMcpTool({ ...tool, name: 'own' }, { ...search, description: '' })).toMatchObject({
    name: 'own',
    description: 'Searches',
  });
});
