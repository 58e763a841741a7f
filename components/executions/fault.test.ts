import { describe, expect, it } from 'vitest';
import { adviceOn, expressionFault } from './fault';

describe('what an error says of an expression', () => {
  it('is the field, what is wrong, and the place', () => {
    const message = 'Node call, config.headers.X-Id: Syntax error: ")" (at position 5 of "1 + )")';
    const expression = { field: 'config.headers.X-Id', source: ' 1 + )', position: 6 };
    expect(expressionFault({ message, expression })).toEqual({
      field: 'headers.X-Id',
      message: 'Syntax error: ")"',
      source: ' 1 + )',
      at: 5,
    });
    expect(expressionFault({ message: 'No', expression: { ...expression, source: 'ab', position: 99 } })).toMatchObject(
      {
        message: 'No',
        at: 1,
      },
    );
  });

  it('is nothing when it is about something else', () => {
    expect(expressionFault({ message: 'GET api.example.com answered 500' })).toBeUndefined();
    expect(adviceOn('TIMEOUT')).toContain('time limit');
    expect(adviceOn('ELSE')).toBeUndefined();
  });
});
