import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { locateExpressionError, parseFieldError } from './error-location';
import { describeRunError, RUN_ERROR_ADVICE } from './fault';

const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : sourcesIn(path);
    return path.endsWith('.ts') && !path.endsWith('.test.ts') ? [path] : [];
  });

describe('the expression of an error', () => {
  it('has the field, the message and the position', () => {
    const message = 'Node call, config.headers.X-Id: Syntax error: ")" (at position 5 of "1 + )")';
    const expression = { field: 'config.headers.X-Id', source: ' 1 + )', position: 6 };
    expect(locateExpressionError({ message, expression })).toEqual({
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

describe('an error', () => {
  it('has a sentence as title, also with an unknown code', () => {
    expect(describeRunError({ code: 'TIMEOUT', message: '' }).advice).toContain('timeout');
    expect(describeRunError({ code: 'ELSE', message: '' })).toEqual({ title: 'The node failed' });
  });

  it('of an HTTP status says what the status means', () => {
    const title = (message: string) => describeRunError({ code: 'HTTP_STATUS', message }).title;
    expect(title('GET api.example.com answered 404: {"message":"No"}')).toBe('The server has nothing at this URL');
    expect(title('HubSpot answered 401')).toBe('The server does not know who is calling');
    expect(title('Page 2: GET api.example.com answered 503')).toBe('The server has a fault');
    expect(title('GET api.example.com answered 418')).toBe('The server refused the request');
  });

  it('has advice for each code that nodes fail with', () => {
    const codes = sourcesIn('server').flatMap((path) => [
      ...readFileSync(path, 'utf8').matchAll(/new NodeFailure\(\s*'([A-Z_]+)'/g),
    ]);
    expect(codes.length).toBeGreaterThan(50);
    expect(codes.map(([, code = '']) => code).filter((code) => !RUN_ERROR_ADVICE[code])).toEqual([]);
  });

  it('has the codes that the documentation lists, each with advice', () => {
    const codes =
      readFileSync('docs/build/errors.md', 'utf8')
        .split('## Codes')[1]
        ?.match(/(?<=`)[A-Z_]+(?=`)/g) ?? [];
    expect(codes.toSorted()).toEqual(Object.keys(RUN_ERROR_ADVICE).toSorted());
    expect(Object.values(RUN_ERROR_ADVICE).filter(({ advice }) => !advice)).toEqual([]);
  });

  it('names the field of its message', () => {
    expect(parseFieldError('config.to: the mail has no recipient')).toEqual({
      field: 'config.to',
      message: 'the mail has no recipient',
    });
    expect(parseFieldError('Node mail, config.cases[0].port: must be text')).toEqual({
      field: 'config.cases[0].port',
      message: 'must be text',
    });
    expect(parseFieldError('GET api.example.com answered 500: config.x: y')).toBeUndefined();
  });
});
