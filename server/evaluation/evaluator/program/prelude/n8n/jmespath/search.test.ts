import { expect, it } from 'vitest';
import { searchJmesPath } from './search';

const DATA = {
  people: [
    { name: 'Ada', age: 36, tags: ['a', 'b'] },
    { name: 'Bob', age: 20, tags: ['c'] },
    { name: 'Cleo', tags: [] },
  ],
  byId: { x: { n: 1 }, y: { n: 2 } },
  'a b': 7,
  nested: [
    [1, 2],
    [3, [4]],
  ],
};

it.each([
  ['people[0].name', 'Ada'],
  ['people[-1].name', 'Cleo'],
  ['people[*].name', ['Ada', 'Bob', 'Cleo']],
  ['people[*].age', [36, 20]],
  ['people[].tags[]', ['a', 'b', 'c']],
  ['people[*].tags[0]', ['a', 'c']],
  ['people[?age > `30`].name', ['Ada']],
  ["people[?name == 'Bob' || name=='Ada'].age | [0]", 36],
  ['people[?!age].name', ['Cleo']],
  ['people[?age && contains(tags, `"c"`)].name', ['Bob']],
  ['people[:2].name', ['Ada', 'Bob']],
  ['people[::-1].name', ['Cleo', 'Bob', 'Ada']],
  [
    'people[*].{n: name, first: tags[0]}',
    [
      { n: 'Ada', first: 'a' },
      { n: 'Bob', first: 'c' },
      { n: 'Cleo', first: null },
    ],
  ],
  ['people[0].[name, age]', ['Ada', 36]],
  ['byId.*.n', [1, 2]],
  ['"a b"', 7],
  ['nested[]', [1, 2, 3, [4]]],
  ['none.at.all', null],
  ['length(people)', 3],
  ['sort_by(people[?age], &age)[0].name', 'Bob'],
  ['max_by(people[?age], &age).name', 'Ada'],
  ["join(', ', people[*].name)", 'Ada, Bob, Cleo'],
  ['sum(people[*].age)', 56],
  ['keys(byId)', ['x', 'y']],
  ['people[*].age | sort(@)', [20, 36]],
  ['not_null(none, people[0].age)', 36],
])('%s', (expression, value) => {
  expect(searchJmesPath(DATA, expression)).toEqual(value);
});

it.each(['people[', 'a..b', 'nothing(@)', '#', '('.repeat(500)])('“%s” is refused', (expression) => {
  expect(() => searchJmesPath(DATA, expression)).toThrow();
});
