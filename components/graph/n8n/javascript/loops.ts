import { atom, composed, type Code } from './code';

/** Methods with a function, such as `map`. `each`: the function as JSONata. */
export const LOOPS: Readonly<Record<string, (value: Code, each: Code, start?: Code) => Code>> = {
  map: (value, each) => atom(`[$map(${value.code}, ${each.code})]`, 'list'),
  filter: (value, each) => atom(`[$filter(${value.code}, ${each.code})]`, 'list'),
  find: (value, each) => atom(`$filter(${value.code}, ${each.code})[0]`),
  some: (value, each) => composed(`$count($filter(${value.code}, ${each.code})) > 0`, 'boolean'),
  flatMap: (value, each) =>
    atom(`[$reduce(${value.code}, function($all, $one) { $append($all, ${each.code}($one)) }, [])]`, 'list'),
  reduce: (value, each, start) =>
    atom(`$reduce(${[value.code, each.code, ...(start ? [start.code] : [])].join(', ')})`),
  // A function of JavaScript gives a number, one of JSONata whether they change places.
  sort: (value, each) => atom(`[$sort(${value.code}, function($a, $b) { ${each.code}($a, $b) > 0 })]`, 'list'),
  every: (value, each) => composed(`$count($filter(${value.code}, ${each.code})) = $count(${value.code})`, 'boolean'),
};
