import { describe, expect, it } from 'vitest';
import { adviceOn, expressionFault } from './fault';

describe('what a failure’s message says', () => {
  it('names the field, the expression and the place in it', () => {
    const fault = expressionFault('Node call, config.headers.X-Id: Syntax error: ")" (at position 5 of "1 + )")');
    expect(fault).toEqual({ field: 'headers.X-Id', message: 'Syntax error: ")"', source: '1 + )', at: 4 });
    expect(expressionFault('Node a, config.url: No (at position 99 of "ab")')?.at).toBe(1);
  });

  it('is left as it is when it is about something else', () => {
    expect(expressionFault('GET api.example.com answered 500')).toBeUndefined();
    expect(adviceOn('TIMEOUT')).toContain('time limit');
    expect(adviceOn('ELSE')).toBeUndefined();
  });
});
