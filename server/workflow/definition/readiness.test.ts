import { expect, test } from 'vitest';
import { flow } from '@/server/testing/flow';
import { readinessIssues } from './readiness';

const send = { connectorId: 'slack', operation: 'messages.post', parameters: {} };
const fieldsOf = (definition: Parameters<typeof readinessIssues>[0]) =>
  readinessIssues(definition).map(({ field }) => field);

test('a node needs the parameters of its operation; a tool leaves them to the model', () => {
  const node = flow({ s: { type: 'start' }, send: { type: 'connector', config: send } }, ['s>send']);
  expect(fieldsOf(node)).toContain('nodes[1].config.parameters.channel');
  const tool = { name: 'send', description: 'Sends a message.', type: 'connector', config: send };
  const agentOf = (one: object) =>
    flow({ s: { type: 'start' }, a: { type: 'agent', config: { model: 'm', input: 'Hi', tools: [one] } } }, ['s>a']);
  expect(fieldsOf(agentOf(tool))).toEqual([]);
  const unknown = { ...tool, config: { ...send, parameters: { nothing: 1 } } };
  expect(fieldsOf(agentOf(unknown))).toEqual(['nodes[1].config.tools[0].config.parameters.nothing']);
});
