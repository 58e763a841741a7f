import { readCachedText } from '../cached-texts';
import type { ExpressionDialect } from '@/contract/workflows/expression-language';
import type { ScopeReferences } from '../scope-references';
import { PRELUDE_REFERENCES } from './prelude-names';
import { hasExpression, type ParsedFieldText } from '../template';
import type { JavaScriptReferences } from './references';

/** `nodes` other than `nodes.name`, `nodes?.name`, `nodes["name"]`: the name is known only at run time. */
const DYNAMIC_NODES = /\bnodes\b(?!\s*\??\.\s*[\p{L}_$]|\s*\[\s*(?:"[^"\\]*"|'[^'\\]*')\s*\])/u;
/** The same for `vars`. */
const DYNAMIC_VARIABLES = /\bvars\b(?!\s*\??\.\s*[\p{L}_$]|\s*\[\s*(?:"[^"\\]*"|'[^'\\]*')\s*\])/u;

/** Comparing more than this many characters with each name would take long. */
const MAX_COMPARED_CHARACTERS = 10_000;

/** What a text may read that was not parsed, by the names that occur in it. */
function findNamedInText(text: string): JavaScriptTextPart {
  const isAny = text.includes('\\') || text.length > MAX_COMPARED_CHARACTERS;
  const isNamed = (name: string) => isAny || text.includes(name);
  const readsAnyNode = isAny || DYNAMIC_NODES.test(text);
  const readsAnyVariable = isAny || DYNAMIC_VARIABLES.test(text);
  return {
    isNamed,
    isNode: (id) => readsAnyNode || (isNamed('nodes') && text.includes(id)),
    isNodeName: (name) => isAny || text.includes(name),
    isVariable: (name) => readsAnyVariable || (isNamed('vars') && text.includes(name)),
    isFast: false,
  };
}

/** What one part of a text may read. */
interface JavaScriptTextPart {
  isNamed(name: string): boolean;
  isNode(id: string): boolean;
  /** Whether it may read the node with this name by a name of a prelude. */
  isNodeName(name: string): boolean;
  isVariable(name: string): boolean;
  /** Whether it is evaluated without functions. */
  isFast: boolean;
}

const toParsedPart = (
  { names, nodes, variables, nodeNames }: JavaScriptReferences,
  isFast: boolean,
): JavaScriptTextPart => ({
  isNamed: (name) => names.has(name),
  isNode: (id) => names.has('nodes') && (nodes === 'any' || nodes.has(id)),
  isNodeName: (name) => nodeNames === 'any' || nodeNames.has(name),
  isVariable: (name) => names.has('vars') && (variables === 'any' || variables.has(name)),
  isFast,
});

/** A part of a text with a prelude, whose names stand for parts of the scope. */
function withPreludeNames(part: JavaScriptTextPart): JavaScriptTextPart {
  const used = Object.keys(PRELUDE_REFERENCES).filter((name) => part.isNamed(name));
  const read = new Set(used.flatMap((name) => PRELUDE_REFERENCES[name] ?? []));
  return {
    ...part,
    isNamed: (name) => read.has(name) || part.isNamed(name),
    isVariable: (name) => read.has('vars') || part.isVariable(name),
  };
}

const listParsedParts = (parsed: ParsedFieldText | undefined, withText: boolean): JavaScriptTextPart[] | undefined =>
  parsed && 'parts' in parsed
    ? parsed.parts.flatMap((part) => {
        if ('text' in part) return withText ? [findNamedInText(part.text)] : [];
        const { javascript, fastPath } = part.expression;
        return javascript ? [toParsedPart(javascript, fastPath !== undefined)] : [];
      })
    : undefined;

/** What a text may read as an expression, and as a text with expressions: which of them it is depends on its field. */
function listTextParts(text: string, dialect: ExpressionDialect): JavaScriptTextPart[] {
  const bare = listParsedParts(readCachedText(text, 'bare', dialect), false);
  if (!hasExpression(text)) return bare ?? [findNamedInText(text)];
  const template = listParsedParts(readCachedText(text, 'template', dialect), bare === undefined);
  return template ? [...template, ...(bare ?? [])] : [findNamedInText(text)];
}

/** The parts of their scope that texts with JavaScript may read; a superset. */
export function findJavaScriptTextReferences(texts: readonly string[], dialect: ExpressionDialect): ScopeReferences {
  const own = texts.flatMap((text) => listTextParts(text, dialect));
  const hasPrelude = dialect !== 'javascript';
  const parts = hasPrelude ? own.map(withPreludeNames) : own;
  const isNamed = (name: string) => parts.some((part) => part.isNamed(name));
  return {
    input: isNamed('input'),
    execution: isNamed('execution'),
    variables: isNamed('vars'),
    variable: (name) => parts.some((part) => part.isVariable(name)),
    timeZone: parts.some(({ isFast }) => !isFast),
    name: isNamed,
    node: (id, name) =>
      parts.some((part) => part.isNode(id) || (hasPrelude && name !== undefined && part.isNodeName(name))),
  };
}
