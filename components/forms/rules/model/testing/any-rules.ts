import fc from 'fast-check';
import { IGNORE_CASE_OPERATORS } from '@/contract/workflows/rule-operators';
import type { PathSteps } from '@/components/ui/values/jsonata-path';
import { findWritingForm } from '../rule-forms';
import { needsOperand, type RuleOperand, type ComparisonRule, type RuleGroup } from '../rule-model';

export const anyText = fc.oneof(
  fc.string({ maxLength: 5, unit: 'grapheme' }),
  fc.constantFrom('', 'a', 'ab', '"', '\\', '{{ x }}', "'", '😀', 'é\n', 'null', 'true', '5', ' and '),
);
export const anyScalar = fc.oneof(
  anyText,
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n || 0),
  fc.boolean(),
);
export const anyName = fc.constantFrom('a', 'b', 'a b', 'and', 'true', 'é', '$x', 'null', '0x', "it's");
/** Paths to fields of the input, as a language writes them. */
export const createAnyField = (printPath: (steps: PathSteps) => string | undefined): fc.Arbitrary<string> =>
  fc
    .tuple(anyName, fc.option(fc.oneof(anyName, fc.constantFrom(0, 1)), { nil: undefined }))
    .map(([one, other]) => printPath(['input', one, ...(other === undefined ? [] : [other])]) ?? '');

const anyPattern = fc.constantFrom(
  'a',
  '^a',
  'B$',
  'a|5',
  '[ab]+',
  '\\d',
  'x/y',
  '\\.',
  '(a)(b)',
  '"',
  'é',
  '[/]',
  '\\\\',
);
const valuesOf = (operator: ComparisonRule['operator']): fc.Arbitrary<RuleOperand> => {
  switch (operator) {
    case 'in':
    case 'not_in':
      return fc
        .oneof(fc.array(anyScalar, { minLength: 1, maxLength: 3 }), fc.array(anyText, { minLength: 1, maxLength: 3 }))
        .map((fixed) => ({ fixed }));
    case 'matches':
    case 'not_matches':
      return anyPattern.map((fixed) => ({ fixed }));
    case 'between':
      return fc
        .oneof(fc.tuple(anyText, anyText), fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 })))
        .map((fixed) => ({ fixed }));
    default:
      return anyScalar.map((fixed) => ({ fixed }));
  }
};
export const takesFieldOperand = (operator: ComparisonRule['operator']) =>
  !['matches', 'not_matches', 'between'].includes(operator);
/** Rules on `anyField`. `others`: operands besides fixed values. */
export const createAnyRule = (
  anyField: fc.Arbitrary<string>,
  operators: readonly ComparisonRule['operator'][],
  others: fc.Arbitrary<RuleOperand> | undefined,
) =>
  fc
    .constantFrom(...operators)
    .chain((operator): fc.Arbitrary<ComparisonRule> =>
      needsOperand(operator)
        ? fc.record({
            field: anyField,
            operator: fc.constant(operator),
            value: others && takesFieldOperand(operator) ? fc.oneof(valuesOf(operator), others) : valuesOf(operator),
          })
        : fc.record({ field: anyField, operator: fc.constant(operator) }),
    )
    .chain((rule) => {
      const inSmall: ComparisonRule = { ...rule, ignoreCase: true };
      const canIgnore = IGNORE_CASE_OPERATORS.includes(rule.operator) && findWritingForm(inSmall) !== undefined;
      return canIgnore ? fc.constantFrom(rule, inSmall) : fc.constant(rule);
    });
/** Groups of rules, and groups in groups. */
export const groupsOfRules = (rule: fc.Arbitrary<ComparisonRule>): fc.Arbitrary<RuleGroup> => {
  const join = fc.constantFrom('and' as const, 'or' as const);
  const innermost = fc.record({ join, members: fc.array(rule, { minLength: 2, maxLength: 2 }) });
  const inner = fc.record({ join, members: fc.array(fc.oneof(rule, innermost), { minLength: 2, maxLength: 3 }) });
  return fc.oneof(
    rule.map((only): RuleGroup => ({ join: 'and', members: [only] })),
    fc.record({ join, members: fc.array(fc.oneof(rule, inner), { minLength: 2, maxLength: 4 }) }),
  );
};
