import fc from 'fast-check';
import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import { readPath, writePath } from '@/components/ui/values/path';
import { matches } from '@/server/lists/rules';
import { readRules, type Parse, type Tree } from './parse';
import { printRules } from './print';
import { CASE_OPERATORS, OPERATORS } from '@/contract/workflows/rule-operators';
import { formOf } from './forms';
import { patternFault, patternFrom, writtenPattern } from './pattern';
import { isGroup, takesValue, type Operand, type Rule, type RuleGroup } from './rules';

const parse: Parse = (source) => jsonata(source).ast() as unknown as Tree;
const read = (source: string) => readRules(source, parse);

const anyText = fc.oneof(
  fc.string({ maxLength: 5, unit: 'grapheme' }),
  fc.constantFrom('', 'a', 'ab', '"', '\\', '{{ x }}', "'", '😀', 'é\n', 'null', 'true', '5', ' and '),
);
const anyScalar = fc.oneof(
  anyText,
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n || 0),
  fc.boolean(),
);
const anyName = fc.constantFrom('a', 'b', 'a b', 'and', 'true', 'é', '$x', 'null', '0x', "it's");
const anyField = fc
  .tuple(anyName, fc.option(fc.oneof(anyName, fc.constantFrom(0, 1)), { nil: undefined }))
  .map(([one, other]) => writePath(['input', one, ...(other === undefined ? [] : [other])]) ?? '');

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
const valuesOf = (operator: Rule['operator']): fc.Arbitrary<Operand> => {
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
const takesFields = (operator: Rule['operator']) => !['matches', 'not_matches', 'between'].includes(operator);
const ruleWith = (operators: readonly Rule['operator'][], others: fc.Arbitrary<Operand> | undefined) =>
  fc
    .constantFrom(...operators)
    .chain((operator): fc.Arbitrary<Rule> =>
      takesValue(operator)
        ? fc.record({
            field: anyField,
            operator: fc.constant(operator),
            value: others && takesFields(operator) ? fc.oneof(valuesOf(operator), others) : valuesOf(operator),
          })
        : fc.record({ field: anyField, operator: fc.constant(operator) }),
    )
    .chain((rule) => {
      const inSmall: Rule = { ...rule, ignoreCase: true };
      const canIgnore = CASE_OPERATORS.includes(rule.operator) && formOf(inSmall) !== undefined;
      return canIgnore ? fc.constantFrom(rule, inSmall) : fc.constant(rule);
    });
const groupOf = (rule: fc.Arbitrary<Rule>): fc.Arbitrary<RuleGroup> => {
  const join = fc.constantFrom('and' as const, 'or' as const);
  const innermost = fc.record({ join, members: fc.array(rule, { minLength: 2, maxLength: 2 }) });
  const inner = fc.record({ join, members: fc.array(fc.oneof(rule, innermost), { minLength: 2, maxLength: 3 }) });
  return fc.oneof(
    rule.map((only): RuleGroup => ({ join: 'and', members: [only] })),
    fc.record({ join, members: fc.array(fc.oneof(rule, inner), { minLength: 2, maxLength: 4 }) }),
  );
};

describe('rules as JSONata', () => {
  it('are read back as they were written', () => {
    const rule = ruleWith(
      OPERATORS,
      anyField.map((path) => ({ path })),
    );
    fc.assert(
      fc.property(groupOf(rule), (group) => {
        const text = printRules(group);
        expect(read(text), text).toEqual(group);
      }),
    );
  });

  it('match what the rules of the filter node match', async () => {
    const anyValue = fc.oneof(
      anyScalar,
      fc.constant(null),
      fc.array(anyScalar, { maxLength: 2 }),
      fc.dictionary(anyName, anyScalar, { maxKeys: 2 }),
    );
    const anyInput = fc.dictionary(anyName, anyValue, { maxKeys: 6 });
    // The node splits names at dots, and a list in a path has no fields there.
    const dotted = (field: string) => (readPath(field) ?? []).slice(1).join('.');
    const asNode = (member: Rule | RuleGroup): unknown =>
      isGroup(member)
        ? { [member.join]: member.members.map(asNode) }
        : { ...member, field: dotted(member.field), value: fixedOf(member.value) };
    const fixedOf = (value: Operand | undefined) => (value && 'fixed' in value ? value.fixed : undefined);
    let held = 0;
    await fc.assert(
      fc.asyncProperty(groupOf(ruleWith(OPERATORS, undefined)), anyInput, async (group, input) => {
        const value: unknown = await jsonata(printRules(group)).evaluate({ input });
        fc.pre(!members(group).some(({ field }) => isMapped(field, input)));
        expect(Boolean(value), printRules(group)).toBe(matches(input, asNode(group) as never, () => undefined));
        held += value === true ? 1 : 0;
      }),
    );
    expect(held).toBeGreaterThan(fc.readConfigureGlobal().numRuns! / 20);
  });

  it('never fail, and compare fields with fields', async () => {
    const scope = { input: { a: 3, b: 2, t: 'abc', u: 'b', nothing: null, list: ['b', 2] } };
    const holds = async (field: string, operator: Rule['operator'], path: string) =>
      jsonata(printRules({ join: 'and', members: [{ field, operator, value: { path } }] })).evaluate(
        scope,
      ) as Promise<unknown>;
    expect(await holds('input.a', 'gt', 'input.b')).toBe(true);
    expect(await holds('input.a', 'lt', 'input.b')).toBe(false);
    expect(await holds('input.a', 'gt', 'input.t')).toBe(false);
    expect(await holds('input.t', 'contains', 'input.u')).toBe(true);
    expect(await holds('input.list', 'contains', 'input.b')).toBe(true);
    expect(await holds('input.t', 'ends_with', 'input.u')).toBe(false);
    expect(await holds('input.b', 'in', 'input.list')).toBe(true);
    for (const operator of OPERATORS.filter(takesFields))
      for (const path of ['input.nothing', 'input.gone', 'input.list', 'input.a'])
        for (const field of ['input.nothing', 'input.gone', 'input.list', 'input.t'])
          expect(typeof (await holds(field, operator, path)), `${field} ${operator} ${path}`).toBe('boolean');
  });
});

/** Whether JSONata maps a path over a list, or takes a scalar for a list. */
function isMapped(field: string, input: Record<string, unknown>): boolean {
  const [, name = '', next] = readPath(field) ?? [];
  const value = input[name];
  return Array.isArray(value) ? typeof next === 'string' : typeof next === 'number' && value !== undefined;
}
const members = (group: RuleGroup): Rule[] => group.members.flatMap((one) => (isGroup(one) ? members(one) : [one]));

describe('readRules', () => {
  const rule = (field: string, operator: Rule['operator'], fixed: unknown): Rule => ({
    field,
    operator,
    value: { fixed },
  });

  it('reads what people write', () => {
    expect(read('input.total > 100')).toEqual({ join: 'and', members: [rule('input.total', 'gt', 100)] });
    expect(read('100 <= (input.`net total`)')).toMatchObject({
      members: [{ field: 'input.`net total`', operator: 'gte' }],
    });
    expect(read('input.a = "x" and ($contains(input.b, "y") or input.c[0] in [1, 2])')).toEqual({
      join: 'and',
      members: [
        rule('input.a', 'eq', 'x'),
        { join: 'or', members: [rule('input.b', 'contains', 'y'), rule('input.c[0]', 'in', [1, 2])] },
      ],
    });
    expect(read('')).toEqual({ join: 'and', members: [] });
    expect(read('$contains(input.sku, /^A-[0-9]+$/i)')).toEqual({
      join: 'and',
      members: [{ ...rule('input.sku', 'matches', '^A-[0-9]+$'), ignoreCase: true }],
    });
    expect(read('a = 1 or (b = 1 and (c = 1 or d = 1))')).toMatchObject({
      join: 'or',
      members: [{ field: 'a' }, { join: 'and', members: [{ field: 'b' }, { join: 'or' }] }],
    });
  });

  it.each([
    ['input.a != 1', /missing field/],
    ['input.a = null', /comparisons/],
    ['input.a = [1]', /comparisons/],
    ['$sum(input.a) > 1', /comparisons/],
    ['input.a', /comparisons/],
    ['input.a[b = 1] = 2', /comparisons/],
    ['input.a > ', /error/],
    ['a = 1 or (b = 1 and (c = 1 or (d = 1 and (e = 1 or f = 1))))', /nested/],
    ['$contains(input.a, /x/m)', /comparisons/],
    ['input.a = 1 and 2', /comparisons/],
    ['$not(input.a)', /comparisons/],
  ])('says why %s is no list of rules', (source, reason) =>
    expect(read(source)).toMatchObject({ reason: expect.stringMatching(reason) as string }),
  );
});

describe('paths', () => {
  it('are read as they were written', () => {
    const anyStep = fc.oneof(fc.string({ minLength: 1 }), fc.nat(20), anyName);
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.array(anyStep), (first, rest) => {
        const path = writePath([first, ...rest]);
        if (path !== undefined) expect(readPath(path)).toEqual([first, ...rest]);
      }),
    );
  });

  it('are nothing else', () => {
    for (const text of ['', 'a b', 'a.', '.a', 'a[-1]', '[0]', 'a + b', '$x', 'a.true', '1', 'a..b', '"a"', 'a[x]'])
      expect(readPath(text), text).toBeUndefined();
  });
});

describe('patterns', () => {
  it('are read by JSONata as they were written', () => {
    const anyPart = fc.constantFrom('a', '/', '\\/', '\\\\', '[b/]', '(c)', '\\(', '.', '|', 'é', '"', '{2}', ' ');
    const anyText = fc.array(anyPart, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(anyText, fc.boolean(), (pattern, ignoreCase) => {
        fc.pre(patternFault(pattern) === undefined);
        const { value } = parse(writtenPattern(pattern, ignoreCase)) as { value: RegExp };
        expect(value.flags.includes('i')).toBe(ignoreCase);
        expect(patternFrom(value.source)).toBe(patternFrom(pattern));
        expect(writtenPattern(patternFrom(value.source), ignoreCase)).toBe(writtenPattern(pattern, ignoreCase));
      }),
    );
  });

  it.each([
    ['', /Write a pattern/],
    ['(', /not a regular/],
    ['[(]', /backslash/],
    ['a\nb', /one line/],
  ])('says why %j is none', (pattern, fault) => expect(patternFault(pattern)).toMatch(fault));
});
