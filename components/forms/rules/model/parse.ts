import { writePath } from '@/components/ui/values/path';
import { FORMS, isFor, type RuleForm } from './forms';
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
type Bound = { F?: string; V?: Operand };

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function bind(name: 'F' | 'V', tree: Tree, bound: Bound): boolean {
  const path = pathOf(tree);
  const value = path === undefined ? (name === 'V' ? literalOf(tree) : undefined) : name === 'F' ? path : { path };
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
  if (letter === 'F' || letter === 'V') return bind(letter, tree, bound);
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

/** Null, and lists and objects outside `in`, have no control. */
function hasControl({ V }: Bound, operator: Rule['operator']): boolean {
  const isListed = operator === 'in' || operator === 'not_in';
  return V === undefined || 'path' in V || (isListed ? Array.isArray(V.fixed) : typeof V.fixed !== 'object');
}

function ruleOf(tree: Tree, forms: readonly (readonly [RuleForm, Tree])[]): Rule | undefined {
  for (const [form, shape] of forms) {
    const bound: Bound = {};
    if (!fits(shape, tree, bound) || bound.F === undefined || !isFor(form, bound.V)) continue;
    const { operator } = form;
    if (!hasControl(bound, operator)) continue;
    return takesValue(operator) ? { field: bound.F, operator, value: bound.V } : { field: bound.F, operator };
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
    if (depth > 1) return { reason: 'Its groups are nested more than once.' };
    const members = membersOf(tree, tree.value).map((member) => read(member, depth + 1));
    const refused = members.find((member) => !isMember(member));
    return refused ?? { join: tree.value, members: members.filter(isMember) };
  };
  const found = read(whole, 0);
  return 'field' in found ? { join: 'and', members: [found] } : found;
}
