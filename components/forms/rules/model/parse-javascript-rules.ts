import type { JavascriptTree, ReadJavascript } from '@/import/languages/javascript-syntax';
import { printJavascriptPath } from '@/components/ui/values/javascript-path';
import type { PathSteps } from '@/components/ui/values/jsonata-path';
import { JAVASCRIPT_RULE_FORMS } from './javascript-rule-forms';
import { findMatchingRule, MAX_GROUP_LEVELS, type FormBindings, type NotRulesReason } from './parse-rules';
import type { LanguageRuleForm } from './rule-forms';
import type { RuleOperand, ComparisonRule, RuleGroup } from './rule-model';

/** Parses JavaScript. Throws at an error of the syntax. */
export type ParseJavascript = (source: string) => ReadJavascript;

const withoutChain = (tree: JavascriptTree): JavascriptTree =>
  tree.type === 'ChainExpression' ? withoutChain(tree['expression'] as JavascriptTree) : tree;

/** The steps of the path that a tree is; undefined: it is something else. */
function javascriptPathSteps(given: JavascriptTree): PathSteps | undefined {
  const tree = withoutChain(given);
  if (tree.type === 'Identifier') return tree['name'] === 'undefined' ? undefined : [String(tree['name'])];
  if (tree.type !== 'MemberExpression') return undefined;
  const before = javascriptPathSteps(tree['object'] as JavascriptTree);
  const property = tree['property'] as JavascriptTree;
  const step = tree['computed'] ? property['value'] : property['name'];
  const isStep = typeof step === 'string' || (typeof step === 'number' && Number.isInteger(step) && step >= 0);
  return before && isStep ? [...before, step] : undefined;
}

/** The path that a tree is, as text, without `?.`; undefined: it is something else. */
export function javascriptTreeToPath(tree: JavascriptTree): string | undefined {
  const steps = javascriptPathSteps(tree);
  return steps && printJavascriptPath(steps);
}

/** The JSON value that a tree is; undefined: it is something else. */
export function javascriptTreeToLiteral(tree: JavascriptTree): { fixed: unknown } | undefined {
  switch (tree.type) {
    case 'Literal':
      return tree['regex'] || tree['bigint'] ? undefined : { fixed: tree['value'] };
    case 'UnaryExpression': {
      const inner = javascriptTreeToLiteral(tree['argument'] as JavascriptTree);
      return tree['operator'] === '-' && typeof inner?.fixed === 'number' ? { fixed: -inner.fixed } : undefined;
    }
    case 'ArrayExpression': {
      const items = (tree['elements'] as (JavascriptTree | null)[]).map(
        (item) => item && javascriptTreeToLiteral(item),
      );
      return items.every((item) => !!item) ? { fixed: items.map(({ fixed }) => fixed) } : undefined;
    }
    case 'ObjectExpression': {
      const entries = (tree['properties'] as JavascriptTree[]).map(objectEntry);
      const values = entries.map((entry) => entry && javascriptTreeToLiteral(entry.value));
      return values.every((value) => value !== undefined)
        ? { fixed: Object.fromEntries(entries.map((entry, at) => [entry?.name, values[at]?.fixed])) }
        : undefined;
    }
    default:
      return undefined;
  }
}

/** A field that an object in the program has; undefined: its name is computed, or it is no plain value. */
export function objectEntry(property: JavascriptTree): { name: string; value: JavascriptTree } | undefined {
  const key = property['key'] as JavascriptTree | undefined;
  const isPlain = property.type === 'Property' && property['kind'] === 'init' && !property['computed'];
  if (!isPlain || property['method'] || !key) return undefined;
  const name = String(key.type === 'Identifier' ? key['name'] : key['value']);
  // It would set the prototype.
  return name === '__proto__' ? undefined : { name, value: property['value'] as JavascriptTree };
}

const isEqualJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function bindLetter(letter: keyof FormBindings, tree: JavascriptTree, bound: FormBindings): boolean {
  if (letter === 'P') {
    const { pattern, flags } = (tree['regex'] ?? {}) as { pattern?: string; flags?: string };
    if (pattern === undefined || (flags !== '' && flags !== 'i')) return false;
    bound.P = new RegExp(pattern, flags);
    return true;
  }
  const path = javascriptTreeToPath(tree);
  const operand: RuleOperand | undefined = path === undefined ? javascriptTreeToLiteral(tree) : { path };
  const value = letter === 'F' ? path : operand;
  if (value === undefined || (bound[letter] !== undefined && !isEqualJson(bound[letter], value))) return false;
  Object.assign(bound, { [letter]: value });
  return true;
}

/** Parts of trees that do not decide what they compute. `?.` in a path is like `.`: rows write it by themselves. */
const IGNORED_PARTS = new Set(['start', 'end', 'raw', 'optional', 'isParenthesized', 'directive']);

function matchesTree(form: unknown, tree: unknown, bound: FormBindings): boolean {
  if (Array.isArray(form))
    return (
      Array.isArray(tree) && form.length === tree.length && form.every((part, at) => matchesTree(part, tree[at], bound))
    );
  if (typeof form !== 'object' || form === null) return form === tree;
  if (typeof tree !== 'object' || tree === null) return false;
  const [wanted, found] = [withoutChain(form as JavascriptTree), withoutChain(tree as JavascriptTree)];
  const { name } = wanted;
  if (wanted.type === 'Identifier' && (name === 'F' || name === 'V' || name === 'W' || name === 'P'))
    return bindLetter(name, found, bound);
  const parts = Object.keys(wanted).filter((part) => !IGNORED_PARTS.has(part));
  return parts.every((part) => matchesTree(wanted[part], found[part], bound));
}

const isRuleOrGroup = (read: ComparisonRule | RuleGroup | NotRulesReason): read is ComparisonRule | RuleGroup =>
  !('reason' in read);

const JOIN_BY_OPERATOR: Record<string, RuleGroup['join']> = { '&&': 'and', '||': 'or' };

/** `a && b && c` → [a, b, c]. Parentheses are groups of their own. */
function splitJoined(tree: JavascriptTree, operator: unknown): JavascriptTree[] {
  if (tree.type !== 'LogicalExpression' || tree['operator'] !== operator || tree['isParenthesized']) return [tree];
  return [...splitJoined(tree['left'] as JavascriptTree, operator), tree['right'] as JavascriptTree];
}

/** The forms with their trees, by the parser that made them. */
let known: { parse: ParseJavascript; forms: (readonly [LanguageRuleForm, JavascriptTree])[] } | undefined;

const expressionTree = (read: ReadJavascript): JavascriptTree | undefined =>
  read.kind === 'expression' ? read.tree : undefined;

function parsedForms(parse: ParseJavascript) {
  if (known?.parse !== parse) {
    const forms = JAVASCRIPT_RULE_FORMS.flatMap((form) => {
      const tree = expressionTree(parse(form.form));
      return tree ? [[form, tree] as const] : [];
    });
    known = { parse, forms };
  }
  return known.forms;
}

/** The rules that an expression in JavaScript consists of, or why it has another shape. */
export function parseJavascriptRules(source: string, parse: ParseJavascript): RuleGroup | NotRulesReason {
  if (source.trim() === '') return { join: 'and', members: [] };
  let whole: JavascriptTree | undefined;
  try {
    whole = expressionTree(parse(source));
  } catch {
    return { reason: 'It has an error.' };
  }
  if (!whole) return { reason: 'It has several statements.' };
  const forms = parsedForms(parse);
  const read = (tree: JavascriptTree, depth: number): ComparisonRule | RuleGroup | NotRulesReason => {
    const rule = findMatchingRule(forms, (form, bound) => matchesTree(form, tree, bound));
    if (rule) return rule;
    const join = tree.type === 'LogicalExpression' ? JOIN_BY_OPERATOR[String(tree['operator'])] : undefined;
    if (!join) return { reason: 'It is more than comparisons of fields.' };
    if (depth >= MAX_GROUP_LEVELS) return { reason: 'Its groups are nested too deeply.' };
    const members = splitJoined({ ...tree, isParenthesized: false }, tree['operator']).map((member) =>
      read(member, depth + 1),
    );
    const refused = members.find((member) => !isRuleOrGroup(member));
    return refused ?? { join, members: members.filter(isRuleOrGroup) };
  };
  const found = read(whole, 0);
  return 'field' in found ? { join: 'and', members: [found] } : found;
}
