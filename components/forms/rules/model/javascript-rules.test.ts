import fc from 'fast-check';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { RULE_OPERATORS } from '@/contract/workflows/rule-operators';
import { parseJavascriptPath, printJavascriptPath } from '@/components/ui/values/javascript-path';
import { readJavascript } from '@/import/languages/javascript-syntax';
import { matchesListRules } from '@/server/evaluation/lists/rules';
import { parseJavascriptRules } from './parse-javascript-rules';
import { printRuleGroup } from './print-rules';
import { isRuleGroup, type RuleOperand, type ComparisonRule, type RuleGroup } from './rule-model';
import { anyName, anyScalar, createAnyField, createAnyRule, groupsOfRules } from './testing/any-rules';

const read = (source: string) => parseJavascriptRules(source, readJavascript);
const evaluate = (source: string, scope: object): unknown => runInNewContext(`"use strict"; (${source})`, { ...scope });
const anyField = createAnyField((steps) => printJavascriptPath(steps));

describe('rules as JavaScript', () => {
  it('are read back as they were written', () => {
    const rule = createAnyRule(
      anyField,
      RULE_OPERATORS,
      anyField.map((path) => ({ path })),
    );
    fc.assert(
      fc.property(groupsOfRules(rule), (group) => {
        const text = printRuleGroup(group, 'javascript');
        expect(read(text), text).toEqual(group);
      }),
    );
  });

  it('match what the rules of the filter node match', () => {
    const anyValue = fc.oneof(
      anyScalar,
      fc.constant(null),
      fc.array(anyScalar, { maxLength: 2 }),
      fc.dictionary(anyName, anyScalar, { maxKeys: 2 }),
    );
    const anyInput = fc.dictionary(anyName, anyValue, { maxKeys: 6, noNullPrototype: true });
    const fixedValue = (value: RuleOperand | undefined) => (value && 'fixed' in value ? value.fixed : undefined);
    const asNode = (member: ComparisonRule | RuleGroup): unknown =>
      isRuleGroup(member)
        ? { [member.join]: member.members.map(asNode) }
        : {
            ...member,
            field: (parseJavascriptPath(member.field) ?? []).slice(1).join('.'),
            value: fixedValue(member.value),
          };
    const listMembers = (group: RuleGroup): ComparisonRule[] =>
      group.members.flatMap((one) => (isRuleGroup(one) ? listMembers(one) : [one]));
    // JavaScript counts the letters of a text.
    const isLetter = (field: string, input: Record<string, unknown>) => {
      const [, name = '', next] = parseJavascriptPath(field) ?? [];
      return typeof next === 'number' && typeof input[name] === 'string';
    };
    let held = 0;
    fc.assert(
      fc.property(groupsOfRules(createAnyRule(anyField, RULE_OPERATORS, undefined)), anyInput, (group, input) => {
        fc.pre(!listMembers(group).some(({ field }) => isLetter(field, input)));
        const value = evaluate(printRuleGroup(group, 'javascript'), { input });
        expect(value, printRuleGroup(group, 'javascript')).toBe(
          matchesListRules(input, asNode(group) as never, () => undefined),
        );
        held += value === true ? 1 : 0;
      }),
    );
    expect(held).toBeGreaterThan(fc.readConfigureGlobal().numRuns! / 20);
  });

  it('never fail, and compare fields with fields', () => {
    const scope = { input: { a: 3, b: 2, t: 'abc', u: 'b', nothing: null, list: ['b', 2] } };
    const holds = (field: string, operator: ComparisonRule['operator'], path: string) =>
      evaluate(printRuleGroup({ join: 'and', members: [{ field, operator, value: { path } }] }, 'javascript'), scope);
    expect(holds('input.a', 'gt', 'input.b')).toBe(true);
    expect(holds('input.t', 'contains', 'input.u')).toBe(true);
    expect(holds('input.b', 'in', 'input.list')).toBe(true);
    expect(holds('input.t', 'ends_with', 'input.u')).toBe(false);
    const takesFields = RULE_OPERATORS.filter((one) => !['matches', 'not_matches', 'between'].includes(one));
    for (const operator of takesFields)
      for (const path of ['input.nothing', 'input.gone.deeper', 'input.list', 'input.a'])
        for (const field of ['input.nothing.deeper', 'input.gone', 'input.list', 'input.t'])
          expect(typeof holds(field, operator, path), `${field} ${operator} ${path}`).toBe('boolean');
  });

  it('are read as people write them', () => {
    expect(read('input.total > 100 && input.name === "x"')).toMatchObject({
      join: 'and',
      members: [
        { field: 'input.total', operator: 'gt', value: { fixed: 100 } },
        { field: 'input.name', operator: 'eq', value: { fixed: 'x' } },
      ],
    });
    expect(read('input.a?.b.includes("x") || ["u", "v"].includes(input["c d"])')).toMatchObject({
      join: 'or',
      members: [
        { field: 'input.a.b', operator: 'contains' },
        { field: 'input["c d"]', operator: 'in', value: { fixed: ['u', 'v'] } },
      ],
    });
    expect(read('/^A/i.test(input.sku)')).toMatchObject({ members: [{ operator: 'matches', ignoreCase: true }] });
    expect(read('')).toEqual({ join: 'and', members: [] });
  });

  it.each([
    ['input.a.map(x => x) === 1', /comparisons/],
    ['input.a', /comparisons/],
    ['return input.a > 1', /statements/],
    ['input.a >', /error/],
    ['(input.a > 1, true)', /comparisons/],
  ])('%s is more than rules', (source, reason) =>
    expect(read(source)).toMatchObject({ reason: expect.stringMatching(reason) as string }),
  );
});
