import { expect, it } from 'vitest';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { completeTypedBraces } from '../typed-braces';
import { findDataReferences } from './data-references';

const found = (text: string, language: ExpressionLanguage = 'jsonata', isJson = false) =>
  findDataReferences(text, language, isJson).map(({ from, to }) => text.slice(from, to));

it('finds the expressions that are only a path', () => {
  expect(found('Hi {{ input.name }}, {{nodes.call.body.`order no`[0].id}}!')).toEqual([
    '{{ input.name }}',
    '{{nodes.call.body.`order no`[0].id}}',
  ]);
  expect(found('{{ $sum(input.rows) }} {{ input.a + 1 }} {{ item }} {{ }} {{ true }}')).toEqual(['{{ item }}']);
  expect(found('{{ input.a')).toEqual([]);
  expect(findDataReferences('{{ nodes.call.rows[0].id }}', 'jsonata')[0]?.steps).toEqual([
    'nodes',
    'call',
    'rows',
    0,
    'id',
  ]);
});

it('reads paths of JavaScript in workflows of JavaScript', () => {
  expect(found('{{ input?.["full name"] }} {{ nodes.call?.rows[0]?.id }}', 'javascript')).toEqual([
    '{{ input?.["full name"] }}',
    '{{ nodes.call?.rows[0]?.id }}',
  ]);
  expect(found('{{ input.name.trim() }} {{ $json.name }}', 'javascript')).toEqual(['{{ $json.name }}']);
});

it('does not take text inside of another expression for a reference', () => {
  expect(found('{{ "{{ input.a }}" & {"b": {"c": 1}} }} {{ input.d }}')).toEqual(['{{ input.d }}']);
  expect(found('{{ /* {{ input.a }} */ 1 }} {{ input.d }}')).toEqual(['{{ input.d }}']);
  expect(found('{{ input.`a}}b` }}')).toEqual(['{{ input.`a}}b` }}']);
  expect(found('{{ "open {{ input.a }}')).toEqual([]);
});

it('finds references in the texts of JSON', () => {
  const json = '{"a": {"b": "x {{ input.b }}"}, "c": "{{ input[\\"d\\"] }}", "e": "{{ nodes.call }}"}';
  expect(found(json, 'javascript', true)).toEqual(['{{ input.b }}', '{{ nodes.call }}']);
});

/** A text after keys, with `|` as the cursor. */
function typeKeys(start: string, keys: string): string {
  let caret = start.indexOf('|');
  let text = start.replace('|', '');
  for (const key of keys) {
    const {
      from,
      to,
      insert,
      caret: next,
    } = completeTypedBraces(text, caret, key) ?? {
      from: caret,
      to: caret,
      insert: key,
      caret: caret + 1,
    };
    text = text.slice(0, from) + insert + text.slice(to);
    caret = next;
  }
  return `${text.slice(0, caret)}|${text.slice(caret)}`;
}

it('closes braces that are typed, and passes those that are there', () => {
  expect(typeKeys('Hi |there', '{{')).toBe('Hi {{ | }}there');
  expect(typeKeys('{|}', '{')).toBe('{{ | }}');
  for (const typed of ['{{ input.a }}', '{{input.a}}'])
    expect(typeKeys('|!', `${typed}`)).toMatch(/^\{\{ input\.a ?\}\}\|!$/);
  expect(typeKeys('|', '{{ {"a": 1} }} x')).toBe('{{ {"a": 1} }} x|');
  expect(typeKeys('{{ input.a | }}', '{{')).toBe('{{ input.a {{| }}');
  expect(typeKeys('a } |', '}')).toBe('a } }|');
});
