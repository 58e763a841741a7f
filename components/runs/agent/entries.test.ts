import { describe, expect, it } from 'vitest';
import type { NodeResult } from '@/contract/execution';
import { buildAgentTranscript, formatModelUsage } from './entries';

const result = (nodeId: string, more: Partial<NodeResult> = {}): NodeResult => ({
  nodeId,
  status: 'completed',
  error: null,
  attempts: 1,
  ...more,
});
const usage = { inputTokens: 10, outputTokens: 5 };
const call = (node: string, more: object = {}) => ({
  id: node,
  name: node.replace(/#\d+/, ''),
  node,
  arguments: { a: 1 },
  ...more,
});

const RESULTS = [
  result('agent', { status: 'running' }),
  result('agent[0].start', { output: { instructions: 'Help.', input: 'Hi', remembered: [{ role: 'user' }] } }),
  result('agent[0].model', {
    output: {
      messages: [],
      text: 'Let me see',
      calls: [call('search'), call('search#2'), call('search', { problem: 'no' }), call('refund')],
      usage,
      total: usage,
    },
  }),
  result('agent[0].search', { output: 1 }),
  result('agent[0].search#2', { status: 'failed' }),
  result('agent[0].refund.approval', { status: 'paused' }),
  result('agent[1].model', {
    status: 'running',
    input: {
      messages: [
        { role: 'tool', content: '1' },
        { role: 'user', content: 'Be quick' },
      ],
    },
  }),
  result('other[0].model'),
];

describe('the conversation of an agent', () => {
  it('has what was said, and each call with its result', () => {
    const { instructions, remembered, steps, total } = buildAgentTranscript(RESULTS, 'agent');
    expect([instructions, remembered, total]).toEqual(['Help.', 1, usage]);
    expect(steps.map(({ userMessages: told, text }) => [told, text])).toEqual([
      [['Hi'], 'Let me see'],
      [['Be quick'], ''],
    ]);
    expect(steps[0]?.calls.map(({ resultId, problem, result: own }) => [resultId, problem, own?.status])).toEqual([
      ['agent[0].search', undefined, 'completed'],
      ['agent[0].search#2', undefined, 'failed'],
      ['agent[0].search', 'no', undefined],
      ['agent[0].refund', undefined, undefined],
    ]);
    expect(steps[0]?.calls[3]?.approval?.status).toBe('paused');
  });

  it('is found inside a loop, and shows an object as the answer', () => {
    const output = { messages: [], text: '', calls: [call('answer')], object: { a: 1 }, usage };
    const inside = [result('loop[2].agent[0].model', { output })];
    expect(buildAgentTranscript(inside, 'loop[2].agent').steps).toMatchObject([{ answer: { a: 1 }, calls: [] }]);
  });

  it('survives outputs that are missing or odd', () => {
    const odd = [result('agent[0].model', { output: 'x' }), result('agent[1].model', { output: { calls: 'y' } })];
    expect(buildAgentTranscript(odd, 'agent').steps).toHaveLength(2);
    expect(buildAgentTranscript([], 'agent')).toEqual({ instructions: '', remembered: 0, steps: [], total: undefined });
  });
});

it.each([
  [usage, '15 tokens'],
  [{ ...usage, inputTokens: 1995, costUsd: 0.00123 }, '2,000 tokens · $0.0012'],
  [{ ...usage, costUsd: 2.5 }, '15 tokens · $2.50'],
  [{ ...usage, costUsd: 0.00001 }, '15 tokens · < $0.0001'],
])('writes %j as %s', (given, words) => {
  expect(formatModelUsage(given)).toBe(words);
});
