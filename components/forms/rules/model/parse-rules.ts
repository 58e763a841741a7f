import { printJsonataPath } from '@/components/ui/values/jsonata-path';
import { JSONATA_RULE_FORMS, isFormForValue, isPatternOperator, type LanguageRuleForm } from './rule-forms';
import { regexPatternProblem, patternFromSource } from './regex-pattern';
import { needsOperand, type RuleOperand, type ComparisonRule, type RuleGroup } from './rule-model';

/** A node of JSONata's syntax tree. */
export type JsonataTree = { type?: string; value?: unknown; [part: string]: unknown };

/** Parses JSONata. Throws at an error of the syntax. */
export type ParseJsonata = (source: string) => JsonataTree;

/** Why an expression cannot be shown as rules. */
export interface NotRulesReason {
  reason: string;
}

const treeList = (trees: unknown): JsonataTree[] => (Array.isArray(trees) ? (trees as JsonataTree[]) : []);

/** Removes parentheses around one expression. */
export function unwrapParentheses(tree: JsonataTree): JsonataTree {
  const inner = treeList(tree['expressions']);
  return tree.type === 'block' && inner.length === 1 && inner[0] ? unwrapParentheses(inner[0]) : tree;
}

/** The path that a tree is, as text; undefined: it is something else. */
export function treeToPath(tree: JsonataTree): string | undefined {
  if (tree.type !== 'path' || Object.keys(tree).some((part) => !['type', 'steps'].includes(part))) return undefined;
  const steps: (string | number)[] = [];
  for (const { type, value, position: _, stages, ...more } of treeList(tree['steps'])) {
    if (type !== 'name' || typeof value !== 'string' || Object.keys(more).length > 0) return undefined;
    steps.push(value);
    for (const stage of treeList(stages)) {
      const index = (stage['expr'] as JsonataTree | undefined)?.value;
      const isIndex = stage.type === 'filter' && (stage['expr'] as JsonataTree).type === 'number';
      if (!isIndex || typeof index !== 'number' || index < 0) return undefined;
      steps.push(index);
    }
  }
  return printJsonataPath(steps);
}

/** The JSON value that a tree is; undefined: it is something else. */
export function treeToLiteral(tree: JsonataTree): { fixed: unknown } | undefined {
  if (tree.type === 'string' || tree.type === 'number' || tree.type === 'value') return { fixed: tree.value };
  if (tree.type !== 'unary') return undefined;
  if (tree.value === '[') {
    const items = treeList(tree['expressions']).map(treeToLiteral);
    return items.every((item) => item !== undefined) ? { fixed: items.map(({ fixed }) => fixed) } : undefined;
  }
  if (tree.value !== '{') return undefined;
  const entries = (tree['lhs'] as [JsonataTree, JsonataTree][]).map(
    ([name, value]) => [treeToLiteral(name), treeToLiteral(value)] as const,
  );
  const isWhole = entries.every(([name, value]) => typeof name?.fixed === 'string' && value !== undefined);
  return isWhole
    ? { fixed: Object.fromEntries(entries.map(([name, value]) => [String(name?.fixed), value?.fixed])) }
    : undefined;
}

/** The parts of an expression that the letters of a form stand for. */
export interface FormBindings {
  F?: string;
  V?: RuleOperand;
  W?: RuleOperand;
  P?: RegExp;
}

const isEqualJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const isFormLetter = (text: string | undefined): text is keyof FormBindings =>
  text === 'F' || text === 'V' || text === 'W' || text === 'P';

function bindFormLetter(name: keyof FormBindings, tree: JsonataTree, bound: FormBindings): boolean {
  if (name === 'P') {
    if (tree.type !== 'regex' || !(tree.value instanceof RegExp)) return false;
    bound.P = tree.value;
    return true;
  }
  const path = treeToPath(tree);
  const value = path === undefined ? (name === 'F' ? undefined : treeToLiteral(tree)) : name === 'F' ? path : { path };
  if (value === undefined || (bound[name] !== undefined && !isEqualJson(bound[name], value))) return false;
  Object.assign(bound, { [name]: value });
  return true;
}

/** The parts of a tree that other trees stand in. */
const childTrees = (tree: JsonataTree): JsonataTree[] => [
  ...['lhs', 'rhs', 'condition', 'then', 'else'].flatMap((part) => {
    const inner = tree[part];
    return typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? [inner as JsonataTree] : [];
  }),
  ...treeList(tree['arguments']),
  ...treeList(tree['expressions']),
];

/** Whether a tree has the shape of a form; fills `bound`. */
function matchesForm(form: JsonataTree, given: JsonataTree, bound: FormBindings): boolean {
  const tree = unwrapParentheses(given);
  const letter = form.type === 'path' ? treeToPath(form) : undefined;
  if (isFormLetter(letter)) return bindFormLetter(letter, tree, bound);
  const isSame =
    form.type === tree.type &&
    form.value === tree.value &&
    (form['procedure'] as JsonataTree | undefined)?.value === (tree['procedure'] as JsonataTree | undefined)?.value &&
    (tree['procedure'] as JsonataTree | undefined)?.type !== 'path';
  if (!isSame || tree.type === 'path') return false;
  const [wanted, found] = [childTrees(form), childTrees(tree)];
  return (
    wanted.length === found.length &&
    (tree.value !== '{' || treeList(tree['lhs']).length === 0) &&
    wanted.every((part, at) => found[at] !== undefined && matchesForm(part, found[at], bound))
  );
}

/**
 * Whether a control can show the value. None can show null, or lists and objects outside `in`, `not_in` and `between`.
 */
function hasValueControl(value: RuleOperand | undefined, operator: ComparisonRule['operator']): boolean {
  const isListed = operator === 'in' || operator === 'not_in' || operator === 'between';
  return !value || 'path' in value || (isListed ? Array.isArray(value.fixed) : typeof value.fixed !== 'object');
}

/** The value of a rule. Undefined if the form has none. */
function boundOperand({ operator }: LanguageRuleForm, { V, W, P }: FormBindings): RuleOperand | undefined {
  if (P) return { fixed: patternFromSource(P.source) };
  if (operator !== 'between') return V;
  return V && W && 'fixed' in V && 'fixed' in W ? { fixed: [V.fixed, W.fixed] } : undefined;
}

/** Whether a field can hold the pattern, and a row its flags. */
const isEditablePattern = ({ source, flags }: RegExp): boolean =>
  !flags.includes('m') && regexPatternProblem(patternFromSource(source)) === undefined;

/** The rule of the first form that matches. `matches` compares a tree with that of a form, and fills `bound`. */
export function findMatchingRule<Tree>(
  forms: readonly (readonly [LanguageRuleForm, Tree])[],
  matches: (form: Tree, bound: FormBindings) => boolean,
): ComparisonRule | undefined {
  for (const [form, shape] of forms) {
    const bound: FormBindings = {};
    if (!matches(shape, bound) || bound.F === undefined) continue;
    const { operator } = form;
    const value = boundOperand(form, bound);
    if (!isFormForValue(form, value) || !hasValueControl(value, operator) || (bound.P && !isEditablePattern(bound.P)))
      continue;
    if (!needsOperand(operator)) return { field: bound.F, operator };
    const isInSmall = isPatternOperator(operator) ? (bound.P?.flags.includes('i') ?? false) : form.ignoreCase === true;
    return { field: bound.F, operator, value, ...(isInSmall && { ignoreCase: true }) };
  }
  return undefined;
}

const isRuleOrGroup = (read: ComparisonRule | RuleGroup | NotRulesReason): read is ComparisonRule | RuleGroup =>
  !('reason' in read);

const isJoinOperator = (value: unknown): value is RuleGroup['join'] => value === 'and' || value === 'or';

/** `a and b and c` → [a, b, c]. Parentheses are groups of their own. */
function splitJoinedTrees(tree: JsonataTree, join: string): JsonataTree[] {
  if (tree.type !== 'binary' || tree.value !== join) return [tree];
  return [...splitJoinedTrees(tree['lhs'] as JsonataTree, join), tree['rhs'] as JsonataTree];
}

const explainMismatch = (tree: JsonataTree): NotRulesReason => ({
  reason:
    tree.type === 'binary' && tree.value === '!='
      ? 'For a missing field “!=” is false, but the row “is not” is true.'
      : 'It is more than comparisons of fields.',
});

/** The forms with their trees, by the parser that made them. */
let known: { parse: ParseJsonata; forms: (readonly [LanguageRuleForm, JsonataTree])[] } | undefined;

function parsedForms(parse: ParseJsonata) {
  if (known?.parse !== parse)
    known = { parse, forms: JSONATA_RULE_FORMS.map((form) => [form, parse(form.form)] as const) };
  return known.forms;
}

/** Levels of groups, the outermost one included. */
export const MAX_GROUP_LEVELS = 4;

/** The rules that an expression consists of, or why it has another shape. */
export function parseRules(source: string, parse: ParseJsonata): RuleGroup | NotRulesReason {
  if (source.trim() === '') return { join: 'and', members: [] };
  let whole: JsonataTree;
  try {
    whole = unwrapParentheses(parse(source));
  } catch {
    return { reason: 'It has an error.' };
  }
  const forms = parsedForms(parse);
  const read = (given: JsonataTree, depth: number): ComparisonRule | RuleGroup | NotRulesReason => {
    const tree = unwrapParentheses(given);
    const rule = findMatchingRule(forms, (form, bound) => matchesForm(form, tree, bound));
    if (rule) return rule;
    if (tree.type !== 'binary' || !isJoinOperator(tree.value)) return explainMismatch(tree);
    if (depth >= MAX_GROUP_LEVELS) return { reason: 'Its groups are nested too deeply.' };
    const members = splitJoinedTrees(tree, tree.value).map((member) => read(member, depth + 1));
    const refused = members.find((member) => !isRuleOrGroup(member));
    return refused ?? { join: tree.value, members: members.filter(isRuleOrGroup) };
  };
  const found = read(whole, 0);
  return 'field' in found ? { join: 'and', members: [found] } : found;
}
