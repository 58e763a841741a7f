import { Ajv } from 'ajv';
import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import { LinearRegExp } from './linear-regexp';
import { LinearRegexError, findRegexProblem } from './regex/check';
import { matches } from './testing/matches';

const alike = (source: string, flags: string, text: string) =>
  expect(matches(new LinearRegExp(source, flags), text)).toEqual(matches(new RegExp(source, flags), text));

describe('a linear regular expression', () => {
  it.each([
    ['a|ab', 'g', 'ab aab'],
    ['(a+)(b+)?', 'g', 'aab ab a'],
    ['(?:(a)|(b)|c)*', 'g', 'abc cab'],
    ['(?:(?<x>a)|(?<y>b))+', 'g', 'ab ba'],
    ['(\\d+)-(\\d+)?', 'g', '1-2 3- 44-55'],
    ['a*?b', 'g', 'aab b'],
    ['a{2,3}?', 'g', 'aaaaa'],
    ['(a?)*?b|(a*)?', 'g', 'ab'],
    ['.', 'g', 'a\n\r\u2028\u2029\u0085b'],
    ['.', 'gs', 'a\n\r'],
    ['[^]', 'g', 'a\n'],
    ['[]', 'g', 'a'],
    ['[^a]', 'g', 'ab\n'],
    ['\\s', 'g', ' \t\n\v\f\r\u00a0\u1680\u2003\u2028\u202f\u205f\u3000\ufeff\u180e\u200b'],
    ['\\cJ\\0\\x41\\u0042\\t\\v\\/\\-', 'g', '\n\0AB\t\v/-'],
    ['\\u{1f600}', 'gu', 'a😀'],
    ['\\u{3}', 'g', 'uuu'],
    ['a{,2}|}|]|x{', 'g', 'a{,2} } ] x{'],
    ['[\\b]', 'g', 'a\bb'],
    ['\\bfoo\\b|\\Bo', 'g', 'foo food ofoo'],
    ['^a|b$', 'g', 'aab\nab'],
    ['^a|b$', 'gm', 'aab\nab'],
    ['^.*$', 'gm', 'one\r\ntwo\nthree\r\n'],
    ['^(\\w+): (.*)$', 'gm', 'a: 1\r\nb: 2\u2028c: 3'],
    ['^#.*$|(x$)', 'gm', 'x\r\n#y\r\nax'],
    ['ς|k|ß', 'gi', 'σΣςkK\u212aßẞ'],
    ['ς|k|ß', 'giu', 'σΣςkK\u212aßẞ'],
    ['[^k]', 'giu', 'kK\u212a'],
    ['\\w', 'giu', 's\u017f\u212a'],
    ['\\p{Lu}\\p{Script=Greek}?\\P{L}', 'gu', 'AΩ1 Bb'],
    ['\\p{Emoji_Presentation}+', 'gu', 'a😀😎1'],
    ['😀', 'g', '😀😀'],
    ['😀+', 'g', '😀😀'],
    ['\\ud83d\\ude00', 'g', 'x😀'],
    ['[\\ud83c-\\ud83e][\\udc00-\\udfff]', 'g', 'x😀1🎉'],
    ['[a\\-\\]^$.]', 'g', 'a-]^$.b'],
    ['\\1a', 'g', '\u0001a'],
    ['(?:)', 'g', 'ab'],
    ['', 'g', 'ab'],
    ['x{0}(y){0}', 'g', 'xy'],
  ])('finds what RegExp finds: /%s/%s', (source, flags, text) => {
    alike(source, flags, text);
  });

  it.each(['', 'g'])('advances like RegExp (flags "%s")', (flags) => {
    const [native, linear] = [new RegExp('a(b)?', flags), new LinearRegExp('a(b)?', flags)];
    for (const [text, place] of [
      ['ab a', 0],
      ['ab a', 2],
      ['ab a', 4],
      ['ab a', 9],
      ['b', 0],
    ] as const) {
      native.lastIndex = place;
      linear.lastIndex = place;
      expect(linear.exec(text)).toEqual(native.exec(text));
      expect(linear.lastIndex).toBe(native.lastIndex);
      expect(linear.test(text)).toBe(native.test(text));
      expect(linear.lastIndex).toBe(native.lastIndex);
    }
  });

  it.each([undefined, null, 42, true, ['ab']])('converts %j to text like RegExp', (value) => {
    for (const source of ['e', '4', 'a(b)?']) {
      const [native, linear] = [new RegExp(source), new LinearRegExp(source)];
      expect(linear.exec(value)).toEqual(native.exec(value as unknown as string));
      expect(linear.test(value)).toBe(native.test(value as unknown as string));
    }
  });

  it('can be created from a RegExp or a linear one', () => {
    const linear = new LinearRegExp(/a\/b/gi);
    expect([linear.source, linear.flags, linear.global, String(linear)]).toEqual(['a\\/b', 'gi', true, '/a\\/b/gi']);
    expect(new LinearRegExp(linear).exec('xA/B')?.index).toBe(1);
    expect(new LinearRegExp(linear, 'm').flags).toBe('m');
    expect(new LinearRegExp('').source).toBe('(?:)');
  });

  it.each([
    ['^(a+)+$', `${'a'.repeat(50_000)}b`],
    ['^(a|a)*$', `${'a'.repeat(50_000)}b`],
    ['(.*)(.*)(.*)(.*)x', 'a'.repeat(20_000)],
    ['(?:a?){50}a{50}', 'a'.repeat(50)],
  ])('takes time linear in the text: %s', (source, text) => {
    expect(new LinearRegExp(source).exec(text)).toEqual(source.includes('?') ? expect.objectContaining([text]) : null);
  });

  it('finds many matches in a long text', () => {
    const text = 'word, '.repeat(100_000);
    const pattern = new LinearRegExp('(\\w+), ', 'g');
    let count = 0;
    while (pattern.exec(text)) count += 1;
    expect(count).toBe(100_000);
  });
});

describe('the issue of a pattern', () => {
  it.each([
    ['a(?=b)', '', 'A look-ahead is not supported.', 1],
    ['ab(?!c)', '', 'A look-ahead is not supported.', 2],
    ['(?<=a)b', '', 'A look-behind is not supported.', 0],
    ['x(?<!a)b', '', 'A look-behind is not supported.', 1],
    ['(a)-\\1', '', 'A back-reference is not supported.', 4],
    ['(?<n>a)\\k<n>', '', 'A back-reference is not supported.', 7],
    ['(a', '', 'Unterminated group.', 2],
    ['a**', '', 'Nothing to repeat.', 3],
    ['[b-a]', '', 'Range out of order in character class.', 4],
    ['\\p{Klingon}', 'u', 'Invalid property name.', 10],
    ['a{1001}', '', 'A repetition count may be 1000 at most.', 1],
    ['a{2,1001}', '', 'A repetition count may be 1000 at most.', 1],
    ['(?:a{40}b){30}', '', 'Nested repetition counts may be 1000 at most when multiplied.', 10],
    [`${'('.repeat(101)}${')'.repeat(101)}`, '', 'Groups may be nested 100 deep at most.', 100],
    ['()'.repeat(201), '', 'A pattern may have 200 groups at most.', 0],
    [`(?:${'ab'.repeat(20)}){1000}`, '', 'The pattern is too large: 20000 parts at most, repetitions written out.', 44],
    ['a'.repeat(10_001), '', 'A pattern has at most 10000 characters.', 10_000],
    ['a', 'y', 'The flag "y" is not supported.', 1],
    ['a', 'v', 'The flag "v" is not supported.', 1],
    ['a', 'gg', 'The flag "g" is given twice.', 1],
  ])('is reported with its position (%#)', (pattern, flags, message, position) => {
    expect(findRegexProblem(pattern, flags)).toEqual({ message, position });
    expect(() => new LinearRegExp(pattern, flags)).toThrow(new LinearRegexError(message, position));
  });

  it.each(['', 'a|b', '[(?=a)]\\(?=', '(?:a{10}){100}', '[^]{0,1000}', '(?<n>a)', '\\', '{', ']'])(
    'does not exist: %s',
    (pattern) => {
      expect(findRegexProblem(pattern) === null).toBe(pattern !== '\\');
    },
  );

  it.each(['(', '[', '\\\\', '(?:', 'a{1', '(?<n', 'a|', '[a-'])('takes time linear in the pattern: %s', (part) => {
    expect(findRegexProblem(part.repeat(10_000 / part.length))).toEqual(
      part === '\\\\' || part === 'a{1' || part === 'a|' ? null : expect.any(Object),
    );
  });
});

describe('an evaluator with linear regular expressions', () => {
  it.each([
    '$match("ab12 c3", /([a-z]+)(\\d+)/)',
    '$replace("John Smith", /(\\w+)\\s(\\w+)/, "$2, $1")',
    '$replace("265USD", /([0-9]+)USD/, function($m) { $m.groups[0] & "!" })',
    '$split("a1b22c", /\\d+/)',
    '$contains("abracadabra", /A.*A/i)',
    '$match("a\r\nb", /^\\w$/m).match',
    '$match("aaa", /a/, 2)',
  ])('behaves like JSONata: %s', async (source) => {
    const expected: unknown = await jsonata(source).evaluate({});
    const options = { RegexEngine: LinearRegExp as unknown as RegExpConstructor };
    expect(JSON.stringify(await jsonata(source, options).evaluate({}))).toBe(JSON.stringify(expected));
  });

  it('works with Ajv', () => {
    const engine = Object.assign((pattern: string, flags: string) => new LinearRegExp(pattern, flags), { code: '' });
    const ajv = new Ajv({ code: { regExp: engine }, strictTypes: false });
    const validate = ajv.compile({
      properties: { a: { pattern: '^(\\w+)+$' } },
      patternProperties: { '^x-': { type: 'number' } },
    });
    expect(validate({ a: `${'a'.repeat(1000)}!` })).toBe(false);
    expect(validate({ a: 'word', 'x-1': 'text' })).toBe(false);
    expect(validate({ a: 'word', 'x-1': 1 })).toBe(true);
    expect(() => ajv.compile({ pattern: '(?=a)' })).toThrow(LinearRegexError);
  });
});
