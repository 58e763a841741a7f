import type { ExpressionProblem } from '../expression-problem';
import { MAX_EXPRESSION_DEPTH } from '../limits';
import { EXTENSION_METHODS } from './prelude-names';
import { listChildNodes, staticPropertyName, type JavaScriptTree } from './syntax-tree';
import { listTemplateEdits, type SourceEdit } from './template-edits';

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
  /** Calls of methods that a prelude may add. */
  extensionCalls: readonly ExtensionCall[];
  /** What n8n writes in another way before it evaluates it. */
  templateEdits: readonly SourceEdit[];
  /** The names in `$("name")`, `$node["name"]` and `$items("name")`; `any`: some are computed. */
  nodeNames: ReadonlySet<string> | 'any';
}

/** `value.method(…)`: its places in the text. */
export interface ExtensionCall {
  start: number;
  /** The end of `value`. */
  valueEnd: number;
  method: string;
  /** The place of the opening parenthesis. */
  open: number;
  /** Whether no value gives none; or the place of the value of which that is true. */
  optional: boolean | { start: number; end: number };
  hasArguments: boolean;
  /** Where the rest of its optional chain begins, which is left out if there is no value. */
  rest?: number;
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

/** Names of a prelude that read the output of a node by its name. */
const NODE_READING_NAMES = new Set(['$', '$item', '$items', '$node']);

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

/** Longer values are not repeated: each method of a chain would have one. */
const MAX_REPEATED_VALUE = 500;

/**
 * The value in an optional chain that ends it if there is none: the one before the last `?.` up to a method. True if
 * that is the owner of the method itself, or has a call in it or is long, and so is not to be repeated.
 */
function findOptionalValue(callee: JavaScriptTree): ExtensionCall['optional'] {
  let tree = callee;
  while (tree['optional'] !== true) {
    const inner = tree['object'] ?? tree['callee'];
    if (inner === undefined || (tree.type !== 'MemberExpression' && tree.type !== 'CallExpression')) return false;
    tree = inner as JavaScriptTree;
  }
  const value = (tree['object'] ?? tree['callee']) as JavaScriptTree;
  const { start, end } = value;
  return tree === callee || end - start > MAX_REPEATED_VALUE || hasCall(value) || { start, end };
}

const hasCall = (tree: JavaScriptTree): boolean => tree.type === 'CallExpression' || listChildNodes(tree).some(hasCall);

/** Collects what a tree reads. */
class ReferenceCollector {
  readonly names = new Set<string>();
  readonly argumentPositions: number[] = [];
  readonly extensionCalls: ExtensionCall[] = [];
  readonly templateEdits: SourceEdit[] = [];
  private readonly chained = new Set<unknown>();
  private readonly extended = new Set<unknown>();
  private readonly nodeNames = new Set<string>();
  /** Reads of `$`, `$node` and `$items` whose name of a node is not in the text. */
  private openNodeReads = 0;
  private chainDepth = 0;
  private readonly members = { nodes: new Set<string>(), vars: new Set<string>() };
  private readonly whole = new Set<string>();
  returns = false;

  constructor(private readonly source: string) {}

  visit(tree: JavaScriptTree, depth: number): void {
    const reason = depth > MAX_EXPRESSION_DEPTH ? 'The expression is nested too deeply' : refusalReason(tree);
    if (reason) throw new RefusedJavaScript({ message: reason, position: tree.start });
    if (tree.type === 'MemberExpression' && this.visitKnownMember(tree)) return;
    if (tree.type === 'Identifier') this.visitName(tree);
    if (tree.type === 'ReturnStatement' || tree.type === 'ThrowStatement') this.returns = true;
    if (tree.type === 'TemplateLiteral') this.templateEdits.push(...listTemplateEdits(tree, this.source));
    if (tree.type === 'CallExpression') this.visitCall(tree);
    else if (tree.type === 'MemberExpression' && !this.extended.has(tree)) this.noteChained(tree, tree['object']);
    this.visitNodeName(tree);
    const isChain = tree.type === 'ChainExpression';
    if (isChain) this.chainDepth += 1;
    for (const child of listChildNodes(tree)) this.visit(child, depth + 1);
    if (isChain) this.chainDepth -= 1;
  }

  /** A part of an optional chain that is read or called further on. */
  private noteChained({ optional }: JavaScriptTree & { optional?: unknown }, owner: unknown): void {
    if (this.chainDepth > 0 && optional !== true) this.chained.add(owner);
  }

  private visitCall(tree: JavaScriptTree): void {
    const callee = tree['callee'] as JavaScriptTree;
    this.noteChained(tree, callee);
    if (callee.type !== 'MemberExpression' || tree['optional'] === true) return;
    const method = staticPropertyName(callee);
    if (method === undefined || callee['computed'] === true || !EXTENSION_METHODS.has(method)) return;
    const value = callee['object'] as JavaScriptTree;
    const open = this.source.indexOf('(', callee.end);
    const dot = this.source.lastIndexOf('.', (callee['property'] as JavaScriptTree).start);
    if (value.type === 'Super' || this.source.slice(callee.end, open).trim() !== '') return;
    // The prelude calls this method, so that it gets the value before it, whatever that is.
    this.chained.delete(value);
    this.extended.add(callee);
    const rest = this.chained.has(tree) ? { rest: tree.end } : {};
    this.extensionCalls.push({
      ...rest,
      start: callee.start,
      // A value in parentheses ends behind them.
      valueEnd: this.source[dot - 1] === '?' ? dot - 1 : dot,
      method,
      open,
      optional: this.chainDepth > 0 && findOptionalValue(callee),
      hasArguments: (tree['arguments'] as JavaScriptTree[]).length > 0,
    });
  }

  /** `$("name")`, `$items("name")`, `$node["name"]`, `$node.name`. */
  private visitNodeName(tree: JavaScriptTree): void {
    const isCall = tree.type === 'CallExpression';
    const owner = (isCall ? tree['callee'] : tree['object']) as JavaScriptTree | undefined;
    const name = owner?.type === 'Identifier' ? owner['name'] : undefined;
    if (isCall && (name === '$' || name === '$items')) {
      const [first] = tree['arguments'] as JavaScriptTree[];
      if (first && first.type !== 'Literal') return;
      if (first) this.nodeNames.add(String(first['value']));
      // The name itself is visited as well.
      this.openNodeReads -= 1;
    } else if (tree.type === 'MemberExpression' && name === '$node') {
      const property = staticPropertyName(tree);
      if (property === undefined) return;
      this.nodeNames.add(property);
      this.openNodeReads -= 1;
    }
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
    if (NODE_READING_NAMES.has(name)) this.openNodeReads += 1;
    if (name === 'arguments') this.argumentPositions.push(tree.start);
  }

  result(): JavaScriptReferences {
    const membersOf = (name: 'nodes' | 'vars') => (this.whole.has(name) ? 'any' : this.members[name]);
    const { names, argumentPositions, extensionCalls, templateEdits } = this;
    const nodeNames = this.openNodeReads > 0 ? 'any' : this.nodeNames;
    return {
      names,
      nodes: membersOf('nodes'),
      variables: membersOf('vars'),
      argumentPositions,
      extensionCalls,
      templateEdits,
      nodeNames,
    };
  }
}

/** The references of an expression, or why it is refused. */
export function inspectJavaScript(
  tree: JavaScriptTree,
  form: 'expression' | 'statements',
  source: string,
): JavaScriptReferences | ExpressionProblem {
  const collector = new ReferenceCollector(source);
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
