// @vitest-environment happy-dom
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, runScopeHandlers } from '@codemirror/view';
import { defaultKeymap } from '@codemirror/commands';
import { afterEach, expect, it } from 'vitest';
import { insertCode } from '../insertion';
import { dataPills, redescribePills } from './data-pills';
import type { DescribeReference } from './reference-description';

let view: EditorView;
afterEach(() => view.destroy());

function openEditor(doc: string, isJson = false): void {
  const describe: DescribeReference = (steps) =>
    steps[0] === 'input' ? { name: `Call › ${steps.slice(1).join('.')}`, sample: '42', isExample: false } : undefined;
  view = new EditorView({
    parent: document.body,
    state: EditorState.create({
      doc,
      selection: { anchor: 0 },
      extensions: [dataPills({ language: 'jsonata', isJson, describe }), keymap.of(defaultKeymap)],
    }),
  });
}
const pills = () =>
  [...view.contentDOM.querySelectorAll('[role="img"]')].map((pill) => pill.getAttribute('aria-label'));
const press = (key: string) => runScopeHandlers(view, new KeyboardEvent('keydown', { key }), 'editor');
const selection = () => view.state.sliceDoc(view.state.selection.main.from, view.state.selection.main.to);

it('draws references that are known, and keeps the text', () => {
  openEditor('Hi {{ input.name }} {{ other.name }} {{ input.a + 1 }}');
  expect(pills()).toEqual(['Call › name, 42']);
  expect(view.contentDOM.textContent).toContain('Hi Call › name42 {{ other.name }}');
  expect(view.state.doc.toString()).toBe('Hi {{ input.name }} {{ other.name }} {{ input.a + 1 }}');
});

it('is selected, left, opened and removed by keys', () => {
  openEditor('{{ input.name }}!');
  press('ArrowRight');
  expect(selection()).toBe('{{ input.name }}');
  press('Enter');
  expect(pills()).toEqual([]);
  expect(view.state.selection.main.head).toBe('{{ input.name'.length);
  view.dispatch({ selection: { anchor: view.state.doc.length } });
  expect(pills()).toEqual(['Call › name, 42']);
  view.dispatch({ selection: { anchor: '{{ input.name }}'.length } });
  press('ArrowLeft');
  expect(selection()).toBe('{{ input.name }}');
  press('Backspace');
  expect(view.state.doc.toString()).toBe('!');
});

it('is removed whole by Backspace behind it', () => {
  openEditor('a{{ input.name }}');
  view.dispatch({ selection: { anchor: view.state.doc.length } });
  press('Backspace');
  expect(view.state.doc.toString()).toBe('a');
});

it('takes inserted data in quotes between the values of JSON', () => {
  openEditor('{"a": }', true);
  insertCode(view, 'json', { text: 'input["b c"]' }, 6);
  expect(JSON.parse(view.state.doc.toString())).toEqual({ a: '{{ input["b c"] }}' });
  view.destroy();
  openEditor('{"a": "x"}', true);
  insertCode(view, 'json', { text: 'input.b' }, 8);
  expect(view.state.doc.toString()).toBe('{"a": "x{{ input.b }}"}');
  expect(pills()).toEqual(['Call › b, 42']);
});

it('follows the data', () => {
  openEditor('{{ input.name }}{{ item }}');
  view.dispatch({ effects: redescribePills.of(([root]) => ({ name: String(root), sample: '1', isExample: true })) });
  expect(pills()).toEqual(['input, for example 1', 'item, for example 1']);
  view.dispatch({ effects: redescribePills.of(undefined) });
  expect(pills()).toEqual([]);
});
