import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReasoningSplitter, splitReasoning } from './reasoning-splitter';

describe('what a model thinks aloud', () => {
  it.each([
    ['<think>hmm {"x":1}</think>\n{"a":1}', '{"a":1}', 'hmm {"x":1}'],
    ['Hello', 'Hello', ''],
    ['  Hello\n', '  Hello\n', ''],
    ['<THINKING>\na\n</THINKING>\n\nb', 'b', 'a'],
    ['<think></think>\n\nb', 'b', ''],
    ['a</think>b', 'b', 'a'],
    ['<think>never ends', '', 'never ends'],
    ['a <think>one</think> b <think>two</think> c', 'a  b  c', 'one\n\ntwo'],
    ['<think>a </thinking> b</think>c', 'c', 'a </thinking> b'],
    ['Write:\n```\n<think>x</think>\n```\ndone', 'Write:\n```\n<think>x</think>\n```\ndone', ''],
    ['<think>```</think>a', 'a', '```'],
    ['a < b, `c` and <b>d</b>', 'a < b, `c` and <b>d</b>', ''],
    ['<thin', '<thin', ''],
  ])('%j', (answer, text, reasoning) => {
    expect(splitReasoning(answer)).toEqual({ text, reasoning });
  });

  it('is the same in pieces', () => {
    const parts = fc.constantFrom(
      '<think>',
      '</think>',
      '<reasoning>',
      '</reasoning>',
      '```',
      '`',
      '<',
      'a',
      ' ',
      '\n',
      '</',
    );
    fc.assert(
      fc.property(fc.array(parts), fc.array(fc.nat(8)), (words, lengths) => {
        const answer = words.join('');
        const splitter = new ReasoningSplitter();
        let at = 0;
        for (const length of lengths) splitter.push(answer.slice(at, (at += length)));
        splitter.push(answer.slice(at));
        splitter.end();
        expect({ text: splitter.text, reasoning: splitter.reasoning }).toEqual(splitReasoning(answer));
      }),
    );
  });
});
