import { atomicCode, composedCode, type JsonataCode } from './code';

/** Methods with a function, such as `map`. `each`: the function as JSONata. */
export const ITERATION_METHODS: Readonly<
  Record<string, (value: JsonataCode, each: JsonataCode, start?: JsonataCode) => JsonataCode>
> = {
  map: (value, each) => atomicCode(`[$map(${value.code}, ${each.code})]`, 'list'),
  filter: (value, each) => atomicCode(`[$filter(${value.code}, ${each.code})]`, 'list'),
  find: (value, each) => atomicCode(`$filter(${value.code}, ${each.code})[0]`),
  some: (value, each) => composedCode(`$count($filter(${value.code}, ${each.code})) > 0`, 'boolean'),
  flatMap: (value, each) =>
    atomicCode(`[$reduce(${value.code}, function($all, $one) { $append($all, ${each.code}($one)) }, [])]`, 'list'),
  reduce: (value, each, start) =>
    atomicCode(`$reduce(${[value.code, each.code, ...(start ? [start.code] : [])].join(', ')})`),
  // A function of JavaScript gives a number, one of JSONata whether they change places.
  sort: (value, each) => atomicCode(`[$sort(${value.code}, function($a, $b) { ${each.code}($a, $b) > 0 })]`, 'list'),
  every: (value, each) =>
    composedCode(`$count($filter(${value.code}, ${each.code})) = $count(${value.code})`, 'boolean'),
};
