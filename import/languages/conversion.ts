/** Why an expression can’t be converted. `position` counts characters from the beginning, from 0. */
export interface ConversionRefusal {
  reason: string;
  position: number;
}

/** Thrown to leave the walk through a tree. */
export class UnconvertibleExpression extends Error {
  constructor(
    reason: string,
    readonly position: number,
  ) {
    super(reason);
  }
}

/** Why the result may differ for some data. */
export interface ConversionDoubt {
  reason: string;
  position: number;
}

/** An expression in the other language. Without doubts its results are the same for all data of the known types. */
export interface ConvertedExpression {
  text: string;
  doubts: ConversionDoubt[];
}

/** The data that an expression sees: it says where lists are. Undefined: none is known. */
export type ConversionData = Readonly<Record<string, unknown>> | undefined;

/** The usual names at the top of an expression. */
export const SCOPE_NAMES: readonly string[] = [
  'input',
  'nodes',
  'execution',
  'vars',
  'item',
  'index',
  'items',
  'cursor',
  'paired',
];

export type ValueType = 'text' | 'number' | 'boolean' | 'null' | 'list' | 'object' | 'missing' | 'unknown';

/** A part of the converted expression. */
export interface CodePiece {
  code: string;
  /** It can be an operand, or have a member, without parentheses. */
  isAtom: boolean;
  type: ValueType;
  /** Its value in the data; absent: it is not known. */
  known?: { value: unknown };
  /** It always has a value. */
  isCertain?: true;
  /** It binds closer than `&&` and `||`. */
  isComparison?: true;
}

export function valueType(value: unknown): ValueType {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  const type = typeof value;
  return type === 'string' ? 'text' : type === 'object' ? 'object' : type === 'number' ? 'number' : 'boolean';
}

export const unknownPiece = (code: string, isAtom = true, type: ValueType = 'unknown'): CodePiece => ({
  code,
  isAtom,
  type,
});

export const knownPiece = (code: string, value: unknown, isAtom = true): CodePiece => ({
  code,
  isAtom,
  type: valueType(value),
  known: { value },
});

/** The code of a part, in parentheses where an operand needs them. */
export const printOperandCode = ({ code, isAtom }: CodePiece): string => (isAtom ? code : `(${code})`);

/** A value that is always there. */
export const certainPiece = (code: string, type: ValueType, isAtom = true): CodePiece => ({
  code,
  isAtom,
  type,
  isCertain: true,
});

/** The result of a comparison. */
export const comparisonPiece = (code: string): CodePiece => ({
  ...certainPiece(code, 'boolean', false),
  isComparison: true,
});

/** The code of an operand of `&&` or `||`. */
export const logicalOperandCode = (piece: CodePiece): string =>
  piece.isComparison ? piece.code : printOperandCode(piece);

/** A field of a known value; undefined: the value is not known. */
export function knownField(piece: CodePiece, name: string | number): { value: unknown } | undefined {
  if (!piece.known) return undefined;
  const { value } = piece.known;
  if (typeof value !== 'object' || value === null) return { value: undefined };
  return { value: Object.hasOwn(value, name) ? (value as Record<string | number, unknown>)[name] : undefined };
}
