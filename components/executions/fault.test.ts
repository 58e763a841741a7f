import { describe, expect, it } from 'vitest';
import { adviceOn, expressionFault } from './fault';

describe('what an error says of an expression', () => {
  it('is the field, what is wrong, and the place', () => {
    const message = 'Node call, config.headers.X-Id: Syntax error: ")" (at position 5 of "1 + )")';
    const expression = { field: 'config.headers.X-Id', source: ' 1 + )', position: 6 };
    expect(expressionFault({ message, expression })).toEqual({
      field: 'headers.X-Id',
      message: 'Syntax error: ")"',
      source: '1 + )',
      from: 4,
      to: 5,
    });
  });

  it.each([
    ['$uppercase(input.n) & "x"', 11, '$uppercase('],
    ['1 + input.total.net * 2', 19, 'input.total.net'],
    ['"a" + 1', 5, '+'],
    ['ab', 99, 'ab'],
    ['', 0, ''],
  ])('points at what %j stumbled over', (source, position, word) => {
    const fault = expressionFault({ message: 'No', expression: { field: 'config.url', source, position } });
    expect(fault?.source.slice(fault.from, fault.to)).toBe(word);
    expect(fault?.message).toBe('No');
  });

  it('is nothing when it is about something else', () => {
    expect(expressionFault({ message: 'GET api.example.com answered 500' })).toBeUndefined();
    expect(adviceOn('TIMEOUT')).toContain('time limit');
    expect(adviceOn('ELSE')).toBeUndefined();
  });
});
