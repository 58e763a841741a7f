import { describe, expect, it } from 'vitest';
import { locateExpressionError, findFieldError } from './error-location';

describe('the expression of an error', () => {
  it('has the field, the message and the position', () => {
    const message = 'Node call, config.headers.X-Id: Syntax error: ")" (at position 5 of "1 + )")';
    const expression = { field: 'config.headers.X-Id', source: ' 1 + )', position: 6 };
    const parameters = { nodeId: 'call', field: 'config.headers.X-Id', problem: 'Syntax error: ")"' };
    expect(locateExpressionError({ message, expression, parameters })).toEqual({
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
  ])('marks the failing part of %j', (source, position, word) => {
    const fault = locateExpressionError({ message: 'No', expression: { field: 'config.url', source, position } });
    expect(fault?.source.slice(fault.from, fault.to)).toBe(word);
    expect(fault?.message).toBe('No');
  });

  it('is absent for other errors', () => {
    expect(locateExpressionError({ message: 'GET api.example.com answered 500' })).toBeUndefined();
  });
});

it('an expression error of an earlier version has its whole message', () => {
  const message = 'Node call, config.url: Syntax error: ")" (at position 5 of "1 + )")';
  const expression = { field: 'config.url', source: '1 + )', position: 5 };
  expect(locateExpressionError({ message, expression })).toMatchObject({ message, from: 4, to: 5 });
});

it('an error names the field that has it', () => {
  expect(findFieldError({ parameters: { field: 'config.to', problem: 'the mail has no recipient' } })).toEqual({
    field: 'config.to',
    message: 'the mail has no recipient',
  });
  expect(findFieldError({ parameters: { status: 500 } })).toBeUndefined();
  expect(findFieldError({})).toBeUndefined();
});
