import type { ExpressionProblem } from '../expression-problem';
import { MAX_EXPRESSION_DEPTH } from '../limits';
import { listChildNodes, staticPropertyName, type JavaScriptTree } from './syntax-tree';

/** The names that an expression may read; a superset. */
export interface JavaScriptReferences {
  /** Every name that is read, those of the expression's own variables included. */
  names: ReadonlySet<string>;
  /** The ids in `nodes.<id>`; `any`: it may read every node. */
  nodes: ReadonlySet<string> | 'any';
  /** The names in `vars.<name>`; `any`: it may read every variable. */
  variables: ReadonlySet<string> | 'any';
  /** Where `arguments` is read, which cannot be the name of a parameter. */
  argumentPositions: readonly number[];
}

/** What an expression may not use, with the reason. */
const REFUSED_TREES: Record<string, string> = {
  AwaitExpression: 'await is not available: an expression cannot wait',
  ImportExpression: 'import is not available',
  ImportDeclaration: 'import is not available',
  ExportNamedDeclaration: 'export is not available',
  ExportDefaultDeclaration: 'export is not available',
  ExportAllDeclaration: 'export is not available',
  MetaProperty: 'import.meta and new.target are not available',
};
const REFUSED_NAMES: Record<string, string> = {
  eval: 'eval is not available: data is never evaluated',
  Function: 'Function is not available: data is never evaluated',
};

/** Thrown to leave the recursive walk. */
class RefusedJavaScript {
  constructor(readonly problem: ExpressionProblem) {}
}

function refusalReason(tree: JavaScriptTree): string | undefined {
  if (tree.type === 'ForOfStatement' && tree['await'] === true) return REFUSED_TREES['AwaitExpression'];
  if (tree.type !== 'Identifier') return Object.hasOwn(REFUSED_TREES, tree.type) ? REFUSED_TREES[tree.type] : undefined;
  const name = String(tree['name']);
  return Object.hasOwn(REFUSED_NAMES, name) ? REFUSED_NAMES[name] : undefined;
}

/** Collects what a tree reads. */
class ReferenceCollector {
  readonly names = new Set<string>();
  readonly argumentPositions: number[] = [];
  private readonly members = { nodes: new Set<string>(), vars: new Set<string>() };
  private readonly whole = new Set<string>();
  returns = false;

  visit(tree: JavaScriptTree, depth: number): void {
    const reason = depth > MAX_EXPRESSION_DEPTH ? 'The expression is nested too deeply' : refusalReason(tree);
    if (reason) throw new RefusedJavaScript({ message: reason, position: tree.start });
    if (tree.type === 'MemberExpression' && this.visitKnownMember(tree)) return;
    if (tree.type === 'Identifier') this.visitName(tree);
    if (tree.type === 'ReturnStatement' || tree.type === 'ThrowStatement') this.returns = true;
    for (const child of listChildNodes(tree)) this.visit(child, depth + 1);
  }

  /** `nodes.a`, `vars["b"]`: whether it is one, so that only this part is read. */
  private visitKnownMember(tree: JavaScriptTree): boolean {
    const owner = tree['object'] as JavaScriptTree;
    const name = owner.type === 'Identifier' ? owner['name'] : undefined;
    const member = name === 'nodes' || name === 'vars' ? staticPropertyName(tree) : undefined;
    if (member === undefined || (name !== 'nodes' && name !== 'vars')) return false;
    this.names.add(name);
    this.members[name].add(member);
    return true;
  }

  private visitName(tree: JavaScriptTree): void {
    const name = String(tree['name']);
    this.names.add(name);
    this.whole.add(name);
    if (name === 'arguments') this.argumentPositions.push(tree.start);
  }

  result(): JavaScriptReferences {
    const membersOf = (name: 'nodes' | 'vars') => (this.whole.has(name) ? 'any' : this.members[name]);
    const { names, argumentPositions } = this;
    return { names, nodes: membersOf('nodes'), variables: membersOf('vars'), argumentPositions };
  }
}

/** The references of an expression, or why it is refused. */
export function inspectJavaScript(
  tree: JavaScriptTree,
  form: 'expression' | 'statements',
): JavaScriptReferences | ExpressionProblem {
  const collector = new ReferenceCollector();
  try {
    collector.visit(tree, 0);
  } catch (thrown) {
    if (thrown instanceof RefusedJavaScript) return thrown.problem;
    throw thrown;
  }
  if (form === 'statements' && !collector.returns)
    return { message: 'The statements have no result: write return before it', position: 0 };
  return collector.result();
}
