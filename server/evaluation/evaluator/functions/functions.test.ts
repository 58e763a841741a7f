import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callExpressionFunction, EXPRESSION_FUNCTION_NAMES } from '.';

const ZONE = 'Europe/Berlin';
const of = (name: string, ...values: unknown[]) => callExpressionFunction(name, values, ZONE);

describe('dates', () => {
  it.each([
    [['2026-03-29T00:30:00Z', 'yyyy-MM-dd HH:mm XXX'], '2026-03-29 01:30 +01:00'],
    [['2026-03-29T01:30:00Z', 'yyyy-MM-dd HH:mm XXX'], '2026-03-29 03:30 +02:00'],
    [['2026-03-29T00:30:00Z', 'yyyy-MM-dd HH:mm', 'America/New_York'], '2026-03-28 20:30'],
    [[0, 'EEEE, d MMMM yyyy', 'UTC'], 'Thursday, 1 January 1970'],
    [['2026-07-01', "dd.MM.yyyy 'um' HH:mm"], '01.07.2026 um 00:00'],
    [['2026-07-01'], '2026-07-01T00:00:00+02:00'],
  ])('formatDate(%j) is %s', (values, text) => {
    expect(of('formatDate', ...values)).toBe(text);
  });

  it.each([
    [['2026-07-01'], '2026-06-30T22:00:00.000Z'],
    [['2026-07-01T10:00'], '2026-07-01T08:00:00.000Z'],
    [['2026-07-01T10:00:00+05:30'], '2026-07-01T04:30:00.000Z'],
    [['Tue, 03 Feb 2026 10:00:00 GMT'], '2026-02-03T10:00:00.000Z'],
    [['31.01.2026 15:30', 'dd.MM.yyyy HH:mm', 'Asia/Tokyo'], '2026-01-31T06:30:00.000Z'],
    [['31.01.2026', 'dd.MM.yyyy'], '2026-01-30T23:00:00.000Z'],
  ])('parseDate(%j) is %s', (values, time) => {
    expect(of('parseDate', ...values)).toBe(time);
  });

  it('a day keeps the time of day when clocks change, an hour does not', () => {
    const noon = '2026-03-28T12:00';
    expect(of('addTime', noon, 1, 'day')).toBe('2026-03-29T10:00:00.000Z');
    expect(of('addTime', noon, 24, 'hours')).toBe('2026-03-29T11:00:00.000Z');
    expect(of('diffTime', noon, '2026-03-29T12:00', 'days')).toBe(1);
    expect(of('diffTime', noon, '2026-03-29T12:00', 'hours')).toBe(23);
  });

  it.each([
    [['2026-01-31', 1, 'month', 'UTC'], '2026-02-28T00:00:00.000Z'],
    [['2026-01-31', -1, 'quarters', 'UTC'], '2025-10-31T00:00:00.000Z'],
    [['2026-01-31', 1.5, 'hours', 'UTC'], '2026-01-31T01:30:00.000Z'],
  ])('addTime(%j) is %s', (values, time) => {
    expect(of('addTime', ...values)).toBe(time);
  });

  it.each([
    [['2026-01-01', '2026-01-31', 'days'], 30],
    [['2026-01-31', '2026-01-01', 'day'], -30],
    [['2026-01-01T00:00', '2026-01-02T12:00', 'days'], 1.5],
    [['2026-01-01', '2026-07-01', 'months'], 6],
    [['2020-02-29', '2026-02-28', 'years'], 6],
    [['2026-01-01T00:00Z', '2026-01-01T00:00:01Z'], 1000],
  ])('diffTime(%j) is %d', (values, difference) => {
    expect(of('diffTime', ...values)).toBe(difference);
  });

  it.each([
    ['startOf', 'month', '2026-06-30T22:00:00.000Z'],
    ['startOf', 'week', '2026-07-12T22:00:00.000Z'],
    ['startOf', 'hours', '2026-07-15T10:00:00.000Z'],
    ['endOf', 'day', '2026-07-15T21:59:59.999Z'],
    ['endOf', 'quarter', '2026-09-30T21:59:59.999Z'],
  ])('%s %s', (name, unit, time) => {
    expect(of(name, '2026-07-15T10:11:12Z', unit)).toBe(time);
  });

  it('what addTime adds, diffTime finds', () => {
    const time = fc.integer({ min: 0, max: 4_000_000_000_000 });
    const unit = fc.constantFrom('minute', 'hour', 'day', 'week');
    fc.assert(
      fc.property(time, fc.integer({ min: -500, max: 500 }), unit, (at, amount, name) => {
        const moved = callExpressionFunction('addTime', [at, amount, name], 'UTC');
        expect(callExpressionFunction('diffTime', [at, moved, name], 'UTC')).toBe(amount);
      }),
    );
  });

  it.each([
    [['formatDate', '2026-01-01', 'yyyy', 'Mars/Base'], /formatDate: "Mars\/Base" is not a time zone/],
    [['addTime', '2026-01-01', 1, 'fortnight'], /addTime: "fortnight" is not a unit of time/],
    [['addTime', '2026-01-01', 1.5, 'days'], /whole number/],
    [['addTime', '2026-01-01', 1e20, 'years'], /can be written/],
    [['diffTime', -8.64e15, 8.64e15, 'years'], /too far apart/],
    [['startOf', 'yesterday', 'day'], /"yesterday" is not a time/],
    [['formatDate', null, 'yyyy'], /not null/],
    [['formatDate', '2026-01-01', 'n'], /pattern "n" is not valid/],
    [['parseDate', 'x', 'yyyy'], /does not match the pattern/],
    [['formatDate', '2026-01-01', 'y'.repeat(300)], /at most 200 characters/],
  ])('%j fails', ([name = '', ...values], message) => {
    expect(() => of(String(name), ...values)).toThrow(message);
  });
});

describe('texts', () => {
  it('hash and hmac take an algorithm and an encoding', () => {
    expect(of('hash', 'abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(of('hash', 'abc', 'md5', 'base64')).toBe('kAFQmDzST7DWlj99KOF/cg==');
    expect(of('hmac', 'what do ya want for nothing?', 'Jefe')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
    expect(() => of('hash', 'abc', 'rot13')).toThrow('hash: The algorithm must be one of sha256');
    expect(() => of('hash', 7)).toThrow('hash: The value must be a text, not a number');
  });

  it('uuid is new each time', () => {
    expect(of('uuid')).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(of('uuid')).not.toBe(of('uuid'));
  });

  it('parseJson', () => {
    expect(of('parseJson', '{"a":[1]}')).toEqual({ a: [1] });
    expect(() => of('parseJson', '{a')).toThrow('parseJson: The text is not JSON');
  });

  it('parseCsv makes objects by the first row, or lists', () => {
    expect(of('parseCsv', '\uFEFFname,city\r\nAda,"Lon, don"\r\n\r\nBob')).toEqual([
      { name: 'Ada', city: 'Lon, don' },
      { name: 'Bob', city: '' },
    ]);
    expect(of('parseCsv', 'a;b\n1;2', { delimiter: ';', header: false })).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
    const [posing] = of('parseCsv', '__proto__,b\nx,y') as object[];
    expect(Object.getPrototypeOf(posing)).toBe(Object.prototype);
    expect(() => of('parseCsv', 'a\n"open')).toThrow('parseCsv: The text is not CSV');
    expect(() => of('parseCsv', 'a', { delimiter: '' })).toThrow('must not be empty');
  });

  it('urlEncode takes texts and objects', () => {
    expect(of('urlEncode', 'a b&c/ü')).toBe('a%20b%26c%2F%C3%BC');
    expect(of('urlEncode', { q: 'a b', ids: [1, 2], none: null })).toBe('q=a+b&ids=1&ids=2');
  });
});

it('a missing value gives nothing', () => {
  for (const name of EXPRESSION_FUNCTION_NAMES.filter((one) => one !== 'uuid')) expect(of(name)).toBeUndefined();
});
