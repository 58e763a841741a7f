import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExpression } from './expression';
import { parseFieldText, type TextSyntax } from './template';

function problemIn(text: string, kind: TextSyntax = 'template') {
  const parsed = parseFieldText(text, kind, 'jsonata');
  return 'problem' in parsed ? parsed.problem : null;
}

describe('the issues of a text', () => {
  test.each([
    ['{{ 1 + }}', 'Unexpected end of expression'],
    ['a {{ input.n }} b {{ (1 }} c', 'Expected ")"'],
    ['{{ 1 + 1', 'not closed'],
    ['{{ }}', 'Unexpected end of expression'],
    ['{{ $eval("1") }}', '$eval is not available'],
  ])('in %s', (text, message) => {
    expect(problemIn(text)?.message).toContain(message);
  });

  test('in expressions over the size limit', () => {
    expect(problemIn(`{{ ${'('.repeat(20_000)} }}`)?.message).toContain('nested too deeply');
    expect(problemIn(`{{ ${'1+'.repeat(5000)}1 }}`)?.message).toContain('nested too deeply');
    expect(problemIn(`{{ "${'x'.repeat(70_000)}" }}`)?.message).toContain('at most');
  });

  test.each([['text'], ['{{ input.a }}'], ['}} {'], ['{{ {"a":{}}}}']])('none in %s', (text) => {
    expect(problemIn(text)).toBeNull();
  });

  test('any text has a result', () => {
    const pieces = fc.constantFrom(
      '{{',
      '}}',
      '{',
      '}',
      '"',
      "'",
      '`',
      '/',
      '/*',
      '*/',
      '(',
      ')',
      'a',
      '$',
      '\\',
      ' ',
      '1',
      '.',
      '[',
      '\u0000',
      '\ud800',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (list) => {
        problemIn(list.join(''));
        problemIn(list.join(''), 'bare');
        parseExpression(list.join(''));
      }),
    );
  });

  test('many opening and closing braces cost little', () => {
    expect(problemIn('{{ '.repeat(50_000))).not.toBeNull();
    expect(problemIn('{{ + }} '.repeat(50_000))).not.toBeNull();
    expect(problemIn(`{{ (${'}}'.repeat(100_000)}`)).not.toBeNull();
  });
});
