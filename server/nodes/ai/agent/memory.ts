import { z } from 'zod';
import { nodeKind, type Outcome } from '../../node';
import type { RoundView } from '../../parts';
import type { Opening, Step } from './messages';
import { placeOf, rememberedIn } from './start';

/** A remembered value has at most 64 KiB of JSON. */
const MAX_BYTES = 60 * 1024;

/** What the agent answers: the input of the node that remembers it. */
export function answerIn(view: RoundView): { answer: string } {
  const step = view.result('model')?.output as Step | undefined;
  return { answer: step?.object === undefined ? (step?.text ?? '') : JSON.stringify(step.object) };
}

/** The last messages that fit, the oldest left out. */
function fitting(messages: Opening['remembered'], window: number): Opening['remembered'] {
  const last = messages.slice(-window);
  while (last.length > 0 && Buffer.byteLength(JSON.stringify(last)) > MAX_BYTES) last.shift();
  return last;
}

/** The last node of an agent with a memory: what was said is stored in one transaction with its result, exactly once. */
export const memoryKind = (window: number) =>
  nodeKind({
    type: 'agent_memory',
    title: 'Memory',
    summary: 'Remembers what was said.',
    category: 'ai',
    config: z.strictObject({}),
    required: [],
    expressions: [],
    hasInput: true,
    outputs: ['output'],
    credentialTypes: [],
    isOutside: true,
    isTransactional: true,
    inTests: 'pass',
    async run({ input, roundResults }): Promise<Outcome> {
      const [first] = await roundResults('start');
      if (!first) throw new Error('The agent has no opening.');
      const { key, input: question } = first.output as Opening;
      const place = placeOf(key);
      const { answer } = input as { answer: string };
      return {
        kind: 'change',
        async apply({ memory }) {
          const before = rememberedIn(await memory.get(place));
          const all: Opening['remembered'] = [
            ...before,
            { role: 'user', content: question },
            { role: 'assistant', content: answer },
          ];
          const messages = fitting(all, window);
          await memory.set(place, messages, null);
          return { messages: messages.length };
        },
      };
    },
  });
