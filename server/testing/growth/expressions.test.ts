import { expect, test } from 'vitest';
import { findScopeReferences } from '@/server/evaluation/expressions/references';
import { parseFieldText } from '@/server/evaluation/expressions/template';
import { findGrowth } from './growth';
import { LONG_RUNS, mixedRuns, numbered, repeated, type Family } from './texts';

/** Longer texts are parsed in evaluator processes. */
const LARGEST_PARSED = 8 * 1024;
const LARGEST_CONFIG = 1024 * 1024;

/** Expressions in which a parser could look back, begin anew, or compare names with all others. */
const EXPRESSIONS: Record<string, Family> = {
  ...LONG_RUNS,
  'open parentheses': (size) => repeated(size, '('),
  'closed parentheses': (size) => '('.repeat(size / 2) + ')'.repeat(size / 2),
  'arrow functions': (size) => repeated(size, 'a=>'),
  'parameters of an arrow function': (size) => `(${numbered(size, (at) => `a${at}`, ',')})=>1`,
  'declared names': (size) => `${numbered(size, (at) => `let a${at};`)}return 1`,
  labels: (size) => `${numbered(size, (at) => `a${at}:`)}return 1`,
  templates: (size) => repeated(size, '`${'),
  'regular expressions': (size) => `[${repeated(size, '/(a+)+/,')}]`,
  'a group of a regular expression': (size) => `/${repeated(size, '(')}/`,
  comments: (size) => repeated(size, '/*'),
  'comments of HTML': (size) => repeated(size, 'a < !--b <!--'),
  'optional chains': (size) => repeated(size, 'a?.b?.'),
  'methods behind an optional chain': (size) => `[${repeated(size * 0.7, '1,')}]?.a${'.sum()'.repeat(size / 20)}`,
  conditions: (size) => repeated(size, 'a?b:'),
  'fields of an object': (size) => `({${numbered(size, (at) => `a${at}:1`, ',')}})`,
  'patterns of an assignment': (size) => `${repeated(size, '[a,')}`,
  'reading nodes': (size) => repeated(size, 'nodes["a'),
};

test.each(Object.entries(EXPRESSIONS))('%s', async (name, make) => {
  const parsing = (kind: 'bare' | 'template', wrap: (text: string) => string) => ({
    name: `${name} as ${kind}`,
    largest: LARGEST_PARSED,
    prepare: (size: number) => {
      const text = wrap(make(size));
      return async () => parseFieldText(text, kind, 'javascript');
    },
  });
  expect(await findGrowth(parsing('bare', (text) => text))).toBeUndefined();
  expect(await findGrowth(parsing('template', (text) => `{{${text}}}`))).toBeUndefined();
});

test.each([
  ['many expressions', (size: number) => repeated(size, '{{ 1 }}')],
  ['many that are not closed', (size: number) => repeated(size, '{{ {')],
  ['many closing braces', (size: number) => `{{${repeated(size, '}}')}`],
] as [string, Family][])('%s in a text', async (name, make) => {
  const input = {
    name,
    largest: LARGEST_PARSED,
    prepare: (size: number) => {
      const text = make(size);
      return async () => parseFieldText(text, 'template', 'javascript');
    },
  };
  expect(await findGrowth(input)).toBeUndefined();
});

test.each([
  ['one text', (size: number) => [mixedRuns(size)]],
  [
    'many texts',
    (size: number) => Array.from({ length: size / 600 }, (_, at) => `nodes[input.a${at}] + ${'x'.repeat(560)}`),
  ],
] as [string, (size: number) => string[]][])('references of %s', async (name, make) => {
  const input = {
    name,
    largest: LARGEST_CONFIG,
    prepare: (size: number) => {
      const texts = make(size);
      return async () => findScopeReferences(texts, 'javascript').node('other');
    },
  };
  expect(await findGrowth(input)).toBeUndefined();
});
