import { z } from 'zod';
import { defineNodeType, type NodeRunResult } from '../../node-type';
import type { LoopRoundView } from '../../parts';
import type { AgentOpening, AgentModelStep } from './messages';
import { conversationMemoryKey, parseRemembered } from './start';

/** A remembered value has at most 64 KiB of JSON. */
const MAX_MEMORY_BYTES = 60 * 1024;

/** The answer of the agent, which is the input of the node that remembers it. */
export function readAgentAnswer(view: LoopRoundView): { answer: string } {
  const step = view.result('model')?.output as AgentModelStep | undefined;
  return { answer: step?.object === undefined ? (step?.text ?? '') : JSON.stringify(step.object) };
}

/** The last messages that fit, the oldest left out. */
function fitMessages(messages: AgentOpening['remembered'], window: number): AgentOpening['remembered'] {
  const last = messages.slice(-window);
  while (last.length > 0 && Buffer.byteLength(JSON.stringify(last)) > MAX_MEMORY_BYTES) last.shift();
  return last;
}

/**
 * The last node of an agent with a memory: what was said is stored in one transaction with its result, exactly once.
 */
export const createMemoryNodeType = (window: number) =>
  defineNodeType({
    type: 'agent_memory',
    title: 'Memory',
    summary: 'Remembers what was said.',
    category: 'ai',
    config: z.strictObject({}),
    hasInput: true,
    outputs: ['output'],
    credentialTypes: [],
    isOutside: true,
    isTransactional: true,
    inTests: 'pass',
    async run({ input, roundResults }): Promise<NodeRunResult> {
      const [first] = await roundResults('start');
      if (!first) throw new Error('The agent has no opening.');
      const { key, input: question } = first.output as AgentOpening;
      const place = conversationMemoryKey(key);
      const { answer } = input as { answer: string };
      return {
        kind: 'change',
        async apply({ memory }) {
          const before = parseRemembered(await memory.get(place));
          const all: AgentOpening['remembered'] = [
            ...before,
            { role: 'user', content: question },
            { role: 'assistant', content: answer },
          ];
          const messages = fitMessages(all, window);
          await memory.set(place, messages, null);
          return { messages: messages.length };
        },
      };
    },
  });
