import fc from 'fast-check';

const names = ['a', 'b', 'list', 'text', 'c d'];
const anyScalar = fc.oneof(
  fc.constantFrom('', 'x', 'Ada', ' a  b '),
  fc.integer({ min: -5, max: 9 }),
  fc.boolean(),
  fc.constant(null),
);
const anyObject = (inner: fc.Arbitrary<unknown>) =>
  fc.dictionary(fc.constantFrom(...names), inner, { maxKeys: 5, noNullPrototype: true });
const anyItem = fc.oneof(anyScalar, anyObject(anyScalar));
const anyValue = fc.oneof(
  anyItem,
  fc.array(anyItem, { maxLength: 3 }),
  anyObject(fc.oneof(anyItem, fc.array(anyItem, { maxLength: 3 }))),
);
/** Fields with values of one type each, as most data has them. */
function createUsualFields() {
  const anyText = fc.constantFrom('Ada', 'x', ' a  b ', 'id');
  const anyRow = fc.record({ a: fc.integer({ min: -5, max: 9 }), text: anyText, 'c d': fc.boolean() });
  return fc.record({
    a: fc.integer({ min: -5, max: 9 }),
    text: anyText,
    'c d': fc.boolean(),
    b: anyRow,
    list: fc.oneof(fc.array(anyRow, { maxLength: 3 }), fc.array(anyText, { maxLength: 3 })),
  });
}

/** Data with lists, objects and gaps at all places. */
export const anyScope = fc.oneof(
  fc.record({ input: anyObject(anyValue), nodes: anyObject(anyValue) }),
  fc.record({ input: createUsualFields(), nodes: createUsualFields() }),
);
