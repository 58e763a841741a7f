import { writePath } from '@/components/ui/values/path';
import { FORMS, isFor, isPattern, type RuleForm } from './forms';
import { patternFault, patternFrom } from './pattern';
import { takesValue, type Operand, type Rule, type RuleGroup } from './rules';

/** A node of JSONata's syntax tree. */
export type Tree = { type?: string; value?: unknown; [part: string]: unknown };

/** Parses JSONata. Throws at an error of the syntax. */
export type Parse = (source: string) => Tree;

/** Why an expression cannot be shown as rules. */
export interface NoRules {
  reason: string;
}

const listOf = (trees: unknown): Tree[] => (Array.isArray(trees) ? (trees as Tree[]) : []);

/** Removes parentheses around one expression. */
export function bare(tree: Tree): Tree {
  const inner = listOf(tree['expressions']);
  return tree.type === 'block' && inner.length === 1 && inner[0] ? bare(inner[0]) : tree;
}

/** The path that a tree is, as text; undefined: it is something else. */
export function pathOf(tree: Tree): string | undefined {
  if (tree.type !== 'path' || Object.keys(tree).some((part) => !['type', 'steps'].includes(part))) return undefined;
  const steps: (string | number)[] = [];
  for (const { type, value, position: _, stages, ...more } of listOf(tree['steps'])) {
    if (type !== 'name' || typeof value !== 'string' || Object.keys(more).length > 0) return undefined;
    steps.push(value);
    for (const stage of listOf(stages)) {
      const index = (stage['expr'] as Tree | undefined)?.value;
      const isIndex = stage.type === 'filter' && (stage['expr'] as Tree).type === 'number';
      if (!isIndex || typeof index !== 'number' || index < 0) return undefined;
      steps.push(index);
    }
  }
  return writePath(steps);
}

/** The JSON value that a tree is; undefined: it is something else. */
export function literalOf(tree: Tree): { fixed: unknown } | undefined {
  if (tree.type === 'string' || tree.type === 'number' || tree.type === 'value') return { fixed: tree.value };
  if (tree.type !== 'unary') return undefined;
  if (tree.value === '[') {
    const items = listOf(tree['expressions']).map(literalOf);
    return items.every((item) => item !== undefined) ? { fixed: items.map(({ fixed }) => fixed) } : undefined;
  }
  if (tree.value !== '{') return undefined;
  const entries = (tree['lhs'] as [Tree, Tree][]).map(([name, value]) => [literalOf(name), literalOf(value)] as const);
  const isWhole = entries.every(([name, value]) => typeof name?.fixed === 'string' && value !== undefined);
  return isWhole
    ? { fixed: Object.fromEntries(entries.map(([name, value]) => [String(name?.fixed), value?.fixed])) }
    : undefined;
}

/** What the letters of a form stand for in an expression. */
interface Bound {
  F?: string;
  V?: Operand;
  W?: Operand;
  P?: RegExp;
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const isLetter = (text: string | undefined): text is keyof Bound =>
  text === 'F' || text === 'V' || text === 'W' || text === 'P';

function bind(name: keyof Bound, tree: Tree, bound: Bound): boolean {
  if (name === 'P') {
    if (tree.type !== 'regex' || !(tree.value instanceof RegExp)) return false;
    bound.P = tree.value;
    return true;
  }
  const path = pathOf(tree);
  const value = path === undefined ? (name === 'F' ? undefined : literalOf(tree)) : name === 'F' ? path : { path };
  if (value === undefined || (bound[name] !== undefined && !isEqual(bound[name], value))) return false;
  Object.assign(bound, { [name]: value });
  return true;
}

/** The parts of a tree that other trees stand in. */
const partsOf = (tree: Tree): Tree[] => [
  ...['lhs', 'rhs', 'condition', 'then', 'else'].flatMap((part) => {
    const inner = tree[part];
    return typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? [inner as Tree] : [];
  }),
  ...listOf(tree['arguments']),
  ...listOf(tree['expressions']),
];

/** Whether a tree has the shape of a form; fills `bound`. */
function fits(form: Tree, given: Tree, bound: Bound): boolean {
  const tree = bare(given);
  const letter = form.type === 'path' ? pathOf(form) : undefined;
  if (isLetter(letter)) return bind(letter, tree, bound);
  const isSame =
    form.type === tree.type &&
    form.value === tree.value &&
    (form['procedure'] as Tree | undefined)?.value === (tree['procedure'] as Tree | undefined)?.value &&
    (tree['procedure'] as Tree | undefined)?.type !== 'path';
  if (!isSame || tree.type === 'path') return false;
  const [wanted, found] = [partsOf(form), partsOf(tree)];
  return (
    wanted.length === found.length &&
    (tree.value !== '{' || listOf(tree['lhs']).length === 0) &&
    wanted.every((part, at) => found[at] !== undefined && fits(part, found[at], bound))
  );
}

/** Null, and lists and objects outside `in` and `between`, have no control. */
function hasControl(value: Operand | undefined, operator: Rule['operator']): boolean {
  const isListed = operator === 'in' || operator === 'not_in' || operator === 'between';
  return !value || 'path' in value || (isListed ? Array.isArray(value.fixed) : typeof value.fixed !== 'object');
}

/** The value of a rule: undefined: the form has none. */
function valueOf({ operator }: RuleForm, { V, W, P }: Bound): Operand | undefined {
  if (P) return { fixed: patternFrom(P.source) };
  if (operator !== 'between') return V;
  return V && W && 'fixed' in V && 'fixed' in W ? { fixed: [V.fixed, W.fixed] } : undefined;
}

/** Whether a field can hold the pattern, and a row its flags. */
const isWritable = ({ source, flags }: RegExp): boolean =>
  !flags.includes('m') && patternFault(patternFrom(source)) === undefined;

function ruleOf(tree: Tree, forms: readonly (readonly [RuleForm, Tree])[]): Rule | undefined {
  for (const [form, shape] of forms) {
    const bound: Bound = {};
    if (!fits(shape, tree, bound) || bound.F === undefined) continue;
    const { operator } = form;
    const value = valueOf(form, bound);
    if (!isFor(form, value) || !hasControl(value, operator) || (bound.P && !isWritable(bound.P))) continue;
    if (!takesValue(operator)) return { field: bound.F, operator };
    const isInSmall = isPattern(operator) ? (bound.P?.flags.includes('i') ?? false) : form.ignoreCase === true;
    return { field: bound.F, operator, value, ...(isInSmall && { ignoreCase: true }) };
  }
  return undefined;
}

const isMember = (read: Rule | RuleGroup | NoRules): read is Rule | RuleGroup => !('reason' in read);

const isJoin = (value: unknown): value is RuleGroup['join'] => value === 'and' || value === 'or';

/** `a and b and c` → [a, b, c]. Parentheses are groups of their own. */
function membersOf(tree: Tree, join: string): Tree[] {
  if (tree.type !== 'binary' || tree.value !== join) return [tree];
  return [...membersOf(tree['lhs'] as Tree, join), tree['rhs'] as Tree];
}

const unlike = (tree: Tree): NoRules => ({
  reason:
    tree.type === 'binary' && tree.value === '!='
      ? 'For a missing field “!=” is false, but the row “is not” is true.'
      : 'It is more than comparisons of fields.',
});

/** The forms with their trees, by the parser that made them. */
let known: { parse: Parse; forms: (readonly [RuleForm, Tree])[] } | undefined;

function formsFor(parse: Parse) {
  if (known?.parse !== parse) known = { parse, forms: FORMS.map((form) => [form, parse(form.form)] as const) };
  return known.forms;
}

/** Levels of groups, the outermost one included. */
export const MAX_GROUPS = 4;

/** The rules that an expression consists of, or why it has another shape. */
export function readRules(source: string, parse: Parse): RuleGroup | NoRules {
  if (source.trim() === '') return { join: 'and', members: [] };
  let whole: Tree;
  try {
    whole = bare(parse(source));
  } catch {
    return { reason: 'It has an error.' };
  }
  const forms = formsFor(parse);
  const read = (given: Tree, depth: number): Rule | RuleGroup | NoRules => {
    const tree = bare(given);
    const rule = ruleOf(tree, forms);
    if (rule) return rule;
    if (tree.type !== 'binary' || !isJoin(tree.value)) return unlike(tree);
    if (depth >= MAX_GROUPS) return { reason: 'Its groups are nested too deeply.' };
    const members = membersOf(tree, tree.value).map((member) => read(member, depth + 1));
    const refused = members.find((member) => !isMember(member));
    return refused ?? { join: tree.value, members: members.filter(isMember) };
  };
  const found = read(whole, 0);
  return 'field' in found ? { join: 'and', members: [found] } : found;
}
