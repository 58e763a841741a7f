import { describe, expect, it } from 'vitest';
import {
  listSourceFields,
  readChoiceItems,
  readItemsWithin,
  toConnectorChoice,
  type ConnectorChoiceSource,
} from './choices';

describe('toConnectorChoice', () => {
  it('takes the first label that has all its texts', () => {
    const source = { value: 'id', label: ['{first} {last}', '{name} (#{id})', 'mail'] };
    expect(toConnectorChoice(source, { id: 1, first: 'Ada', last: 'Byron' })).toEqual({ value: 1, label: 'Ada Byron' });
    expect(toConnectorChoice(source, { id: 1, first: 'Ada', name: 'ada' })?.label).toBe('ada (#1)');
    expect(toConnectorChoice(source, { id: 1, mail: 'a@b.example' })?.label).toBe('a@b.example');
    expect(toConnectorChoice(source, { id: 1 })?.label).toBe('1');
    expect(toConnectorChoice({ value: '', label: [''] }, 'a header')).toEqual({ value: 'a header', label: 'a header' });
  });

  it('leaves out what has no value, is marked, or is not wanted', () => {
    const source = { value: 'id', label: ['id'], unless: 'archived', where: { at: 'kind', is: ['board', true] } };
    expect(toConnectorChoice(source, { id: 'a', kind: 'board' })).toBeDefined();
    expect(toConnectorChoice(source, { id: 'a', kind: 'board', archived: true })).toBeUndefined();
    expect(toConnectorChoice(source, { id: 'a', kind: 'list' })).toBeUndefined();
    for (const id of [undefined, null, '', true, {}, ['a']])
      expect(toConnectorChoice(source, { id, kind: 'board' })).toBeUndefined();
    for (const item of [null, undefined, 1, 'x', []]) expect(toConnectorChoice(source, item)).toBeUndefined();
  });

  it('reads columns with our types, what a row needs, and their options', () => {
    const source = {
      value: 'name',
      label: ['label'],
      column: {
        type: 'kind',
        types: { double: 'number', picklist: 'options', formula: null },
        isRequired: { when: 'isWritten', unless: ['nillable', 'hasDefault'] },
        options: { at: ['select.options', 'picks'], value: 'id', label: ['name'] },
      },
    } as const;
    const item = { name: 'a', label: 'A', isWritten: true };
    const read = (more: object) => toConnectorChoice(source, { ...item, ...more });
    expect(read({ kind: 'double' })).toEqual({ value: 'a', label: 'A', type: 'number', isRequired: true });
    expect(read({ kind: 'double', nillable: true })?.isRequired).toBe(false);
    expect(read({ kind: 'unheard of' })?.type).toBe('text');
    expect(read({ kind: 'toString' })?.type).toBe('text');
    expect(read({ kind: 'formula' })).toBeUndefined();
    const options = [{ value: 1, label: 'One' }];
    expect(read({ kind: 'picklist', picks: [{ id: 1, name: 'One' }, { name: 'no value' }] })).toMatchObject({
      options,
    });
    expect(read({ kind: 'picklist', picks: [] })).toMatchObject({ type: 'text' });
  });
});

describe('items of a list', () => {
  it('may be the values of an object, with their names', () => {
    expect(readChoiceItems({ Name: { type: 'title' }, Tags: 1 })).toEqual([
      { key: 'Name', type: 'title' },
      { key: 'Tags', value: 1 },
    ]);
    expect(readChoiceItems([1])).toEqual([1]);
    expect(readChoiceItems('text')).toBeUndefined();
  });

  it('may be inside of the item that a field names', () => {
    const tables = [{ id: 't1', name: 'People', fields: [{ name: 'Age' }] }, { id: 't2' }];
    const within = { field: 'table', by: ['id', 'name'], items: 'fields' };
    expect(readItemsWithin(within, 'People', tables)).toEqual([{ name: 'Age' }]);
    expect(readItemsWithin(within, 't2', tables)).toEqual([]);
    expect(readItemsWithin(within, 't3', tables)).toBeUndefined();
  });
});

describe('listSourceFields', () => {
  it('tells fields that need a value from those that may be empty', () => {
    const paths = { value: 'id', label: ['name'] };
    const within = { field: 'table', by: ['id'], items: 'fields' };
    const cases: [ConnectorChoiceSource, string[], string[]][] = [
      [{ choices: [] }, [], []],
      [{ ...paths, operation: 'a', parametersFrom: { x: 'base', y: 'user?' }, within }, ['base', 'table'], ['user']],
      [
        {
          ...paths,
          dependsOn: ['drive', 'site?'],
          *steps() {
            return { items: [yield { path: '/drives' }] };
          },
        },
        ['drive'],
        ['site'],
      ],
    ];
    for (const [source, needed, optional] of cases) expect(listSourceFields(source)).toEqual({ needed, optional });
  });
});
