import { describe, expect, it } from 'vitest';
import { filled } from './filled';

describe('filled', () => {
  const input = { customer: 'Ada', order: { total: 40, lines: [1] } };
  it.each([
    ['Accept {{ input.customer }} over {{input.order.total}}?', 'Accept Ada over 40?'],
    ['{{ input.order.lines }}', '[1]'],
    [
      '{{ input.missing }} {{ $sum(input.order.lines) }} {{ input.toString }}',
      '{{ input.missing }} {{ $sum(input.order.lines) }} {{ input.toString }}',
    ],
    ['nothing to fill', 'nothing to fill'],
  ])('%s', (text, shown) => expect(filled(text, input)).toBe(shown));
});
