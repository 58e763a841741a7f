import { expect, test } from 'vitest';
import { flow } from '@/server/testing/flow';
import { addChatMemory } from './chat-memory';

const agentIn = (config: Record<string, unknown>, links: string[]) => {
  const definition = flow({ begin: { type: 'start' }, t: { type: 'transform' }, a: { type: 'agent', config } }, links);
  return addChatMemory(definition, definition.nodes[2]!, 'jsonata');
};

test('an agent after the start node reads the session and the message from its input', () => {
  expect(agentIn({ model: 'm' }, ['begin>a'])).toEqual({
    model: 'm',
    input: '{{ input.message }}',
    memory: { key: '{{ input.sessionId }}' },
  });
});

test('an agent further on reads them from the start node; its own task and window stay', () => {
  expect(agentIn({ input: 'Hi', memory: { key: '', window: 6 } }, ['begin>t', 't>a'])).toEqual({
    input: 'Hi',
    memory: { key: '{{ nodes.begin.sessionId }}', window: 6 },
  });
});

test('a memory with a key stays as it is', () => {
  expect(agentIn({ memory: { key: 'mine' } }, ['begin>a'])).toBeUndefined();
});
