import fc from 'fast-check';
import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import { parseJsonataPath, printJsonataPath } from '@/components/ui/values/jsonata-path';
import { matchesListRules } from '@/server/evaluation/lists/rules';
import { parseRules, type ParseJsonata, type JsonataTree } from './parse-rules';
import { printRuleGroup } from './print-rules';
import { RULE_OPERATORS } from '@/contract/workflows/rule-operators';
import {
  anyName,
  anyScalar,
  createAnyField,
  createAnyRule,
  groupsOfRules,
  takesFieldOperand,
} from './testing/any-rules';
import { regexPatternProblem, patternFromSource, printRegexLiteral } from './regex-pattern';
import { isRuleGroup, type RuleOperand, type ComparisonRule, type RuleGroup } from './rule-model';

const parse: ParseJsonata = (source) => jsonata(source).ast() as unknown as JsonataTree;
const read = (source: string) => parseRules(source, parse);

const anyField = createAnyField(printJsonataPath);
const ruleWith = (operators: Parameters<typeof createAnyRule>[1], others: Parameters<typeof createAnyRule>[2]) =>
  createAnyRule(anyField, operators, others);

describe('rules as JSONata', () => {
  it('are read back as they were written', () => {
    const rule = ruleWith(
      RULE_OPERATORS,
      anyField.map((path) => ({ path })),
    );
    fc.assert(
      fc.property(groupsOfRules(rule), (group) => {
        const text = printRuleGroup(group);
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
    const dotted = (field: string) => (parseJsonataPath(field) ?? []).slice(1).join('.');
    const asNode = (member: ComparisonRule | RuleGroup): unknown =>
      isRuleGroup(member)
        ? { [member.join]: member.members.map(asNode) }
        : { ...member, field: dotted(member.field), value: fixedOf(member.value) };
    const fixedOf = (value: RuleOperand | undefined) => (value && 'fixed' in value ? value.fixed : undefined);
    let held = 0;
    await fc.assert(
      fc.asyncProperty(groupsOfRules(ruleWith(RULE_OPERATORS, undefined)), anyInput, async (group, input) => {
        const value: unknown = await jsonata(printRuleGroup(group)).evaluate({ input });
        fc.pre(!members(group).some(({ field }) => isMapped(field, input)));
        expect(Boolean(value), printRuleGroup(group)).toBe(
          matchesListRules(input, asNode(group) as never, () => undefined),
        );
        held += value === true ? 1 : 0;
      }),
    );
    expect(held).toBeGreaterThan(fc.readConfigureGlobal().numRuns! / 20);
  });

  it('never fail, and compare fields with fields', async () => {
    const scope = { input: { a: 3, b: 2, t: 'abc', u: 'b', nothing: null, list: ['b', 2] } };
    const holds = async (field: string, operator: ComparisonRule['operator'], path: string) =>
      jsonata(printRuleGroup({ join: 'and', members: [{ field, operator, value: { path } }] })).evaluate(
        scope,
      ) as Promise<unknown>;
    expect(await holds('input.a', 'gt', 'input.b')).toBe(true);
    expect(await holds('input.a', 'lt', 'input.b')).toBe(false);
    expect(await holds('input.a', 'gt', 'input.t')).toBe(false);
    expect(await holds('input.t', 'contains', 'input.u')).toBe(true);
    expect(await holds('input.list', 'contains', 'input.b')).toBe(true);
    expect(await holds('input.t', 'ends_with', 'input.u')).toBe(false);
    expect(await holds('input.b', 'in', 'input.list')).toBe(true);
    for (const operator of RULE_OPERATORS.filter(takesFieldOperand))
      for (const path of ['input.nothing', 'input.gone', 'input.list', 'input.a'])
        for (const field of ['input.nothing', 'input.gone', 'input.list', 'input.t'])
          expect(typeof (await holds(field, operator, path)), `${field} ${operator} ${path}`).toBe('boolean');
  });
});

/** Whether JSONata maps a path over a list, or takes a scalar for a list. */
function isMapped(field: string, input: Record<string, unknown>): boolean {
  const [, name = '', next] = parseJsonataPath(field) ?? [];
  const value = input[name];
  return Array.isArray(value) ? typeof next === 'string' : typeof next === 'number' && value !== undefined;
}
const members = (group: RuleGroup): ComparisonRule[] =>
  group.members.flatMap((one) => (isRuleGroup(one) ? members(one) : [one]));

describe('readRules', () => {
  const rule = (field: string, operator: ComparisonRule['operator'], fixed: unknown): ComparisonRule => ({
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
        const path = printJsonataPath([first, ...rest]);
        if (path !== undefined) expect(parseJsonataPath(path)).toEqual([first, ...rest]);
      }),
    );
  });

  it('are nothing else', () => {
    for (const text of ['', 'a b', 'a.', '.a', 'a[-1]', '[0]', 'a + b', '$x', 'a.true', '1', 'a..b', '"a"', 'a[x]'])
      expect(parseJsonataPath(text), text).toBeUndefined();
  });
});

describe('patterns', () => {
  it('are read by JSONata as they were written', () => {
    const anyPart = fc.constantFrom('a', '/', '\\/', '\\\\', '[b/]', '(c)', '\\(', '.', '|', 'é', '"', '{2}', ' ');
    const anyText = fc.array(anyPart, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(anyText, fc.boolean(), (pattern, ignoreCase) => {
        fc.pre(regexPatternProblem(pattern) === undefined);
        const { value } = parse(printRegexLiteral(pattern, ignoreCase)) as { value: RegExp };
        expect(value.flags.includes('i')).toBe(ignoreCase);
        expect(patternFromSource(value.source)).toBe(patternFromSource(pattern));
        expect(printRegexLiteral(patternFromSource(value.source), ignoreCase)).toBe(
          printRegexLiteral(pattern, ignoreCase),
        );
      }),
    );
  });

  it.each([
    ['', /Write a pattern/],
    ['(', /not a regular/],
    ['[(]', /backslash/],
    ['a\nb', /one line/],
  ])('says why %j is none', (pattern, fault) => expect(regexPatternProblem(pattern)).toMatch(fault));
});
