type Values = readonly unknown[];
type Fields = Record<string, unknown>;
/** An expression that a function applies to each value. */
export type ValueExpression = (value: unknown) => unknown;

const asList = (value: unknown): unknown[] => {
  if (!Array.isArray(value)) throw new Error('A function of JMESPath expects a list');
  return value as unknown[];
};
const asNumbers = (value: unknown): number[] => {
  const list = asList(value);
  if (!list.every((one) => typeof one === 'number')) throw new Error('A function of JMESPath expects numbers');
  return list;
};
const asFields = (value: unknown): Fields => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('A function of JMESPath expects an object');
  return value as Fields;
};
const lengthOf = (value: unknown): number =>
  typeof value === 'string' || Array.isArray(value) ? value.length : Object.keys(asFields(value)).length;

const compare = (one: unknown, other: unknown): number =>
  (one as number) < (other as number) ? -1 : (one as number) > (other as number) ? 1 : 0;
const sortBy = (value: unknown, key: ValueExpression): unknown[] =>
  [...asList(value)].sort((one, other) => compare(key(one), key(other)));

/** The type of a value as JMESPath calls it. */
const typeName = (value: unknown): string =>
  value === null || value === undefined ? 'null' : Array.isArray(value) ? 'array' : typeof value;

const toNumber = (value: unknown): number | null => {
  if (typeof value === 'number') return value;
  const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  return Number.isNaN(found) ? null : found;
};

/** The functions of JMESPath. Those with `&expression` get it as a function. */
export const JMESPATH_FUNCTIONS: Readonly<Record<string, (...given: never[]) => unknown>> = {
  abs: (value: number) => Math.abs(value),
  avg: (value: unknown) => {
    const list = asNumbers(value);
    return list.length === 0 ? null : list.reduce((sum, one) => sum + one, 0) / list.length;
  },
  ceil: (value: number) => Math.ceil(value),
  contains: (subject: unknown, search: unknown) =>
    typeof subject === 'string' ? subject.includes(String(search)) : asList(subject).includes(search),
  ends_with: (text: string, end: string) => text.endsWith(end),
  floor: (value: number) => Math.floor(value),
  join: (glue: string, list: unknown) => asList(list).join(glue),
  keys: (value: unknown) => Object.keys(asFields(value)),
  length: lengthOf,
  map: (apply: ValueExpression, list: unknown) => asList(list).map((one) => apply(one) ?? null),
  max: (list: unknown) => sortBy(list, (one) => one).at(-1) ?? null,
  max_by: (list: unknown, key: ValueExpression) => sortBy(list, key).at(-1) ?? null,
  merge: (...values: Values) => Object.assign({}, ...values.map(asFields)) as Fields,
  min: (list: unknown) => sortBy(list, (one) => one)[0] ?? null,
  min_by: (list: unknown, key: ValueExpression) => sortBy(list, key)[0] ?? null,
  not_null: (...values: Values) => values.find((one) => one !== null && one !== undefined) ?? null,
  reverse: (value: unknown) =>
    typeof value === 'string' ? Array.from(value).reverse().join('') : [...asList(value)].reverse(),
  sort: (list: unknown) => sortBy(list, (one) => one),
  sort_by: sortBy,
  starts_with: (text: string, begin: string) => text.startsWith(begin),
  sum: (list: unknown) => asNumbers(list).reduce((sum, one) => sum + one, 0),
  to_array: (value: unknown) => (Array.isArray(value) ? (value as unknown[]) : [value]),
  to_number: toNumber,
  to_string: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
  type: typeName,
  values: (value: unknown) => Object.values(asFields(value)),
};
