import { describe, expect, it } from 'vitest';
import { flow } from '@/server/testing/flow';
import { KNOWN_ABILITIES, RELEASE_ABILITIES, requiredAbilities } from './abilities';

const start = { type: 'start' };
const shape = { type: 'transform', config: { expression: 'input' } };
const which = { type: 'condition', config: { expression: 'true' } };
const HALF = flow({ start, which, yes: shape }, ['start>which', 'which:true>yes']);

it('each ability has a bit of its own', () => {
  const bits = RELEASE_ABILITIES.map(({ bit }) => bit);
  expect(new Set(bits).size).toBe(bits.length);
  expect(bits.filter((bit) => !Number.isInteger(Math.log2(bit)) || bit >= 2 ** 31)).toEqual([]);
});

describe('abilities that a definition requires', () => {
  it.each([
    ['a line of nodes', flow({ start, shape }, ['start>shape']), 0],
    [
      'both ports connected',
      flow({ start, which, a: shape, b: shape }, ['start>which', 'which:true>a', 'which:false>b']),
      0,
    ],
    ['a port that leads nowhere', HALF, 1],
    ['only the error port connected', flow({ start, a: shape, b: shape }, ['start>a', 'a:error>b']), 1],
    [
      'the same in the body of a loop',
      flow({ start, l: { type: 'for_each', config: { items: 'input', body: HALF } } }, ['start>l']),
      1,
    ],
    ['its language is the usual one', { ...flow({ start }, []), language: 'jsonata' as const }, 0],
    ['JavaScript', { ...flow({ start }, []), language: 'javascript' as const }, 4],
    ['a prelude', { ...flow({ start }, []), language: 'javascript' as const, prelude: 'n8n' as const }, 36],
  ])('%s', (_, definition, required) => {
    expect(requiredAbilities(definition)).toBe(required);
    expect(KNOWN_ABILITIES & required).toBe(required);
  });
});
