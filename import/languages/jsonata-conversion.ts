import type { CodePiece, ConversionData } from './conversion';

/** A node of JSONata's syntax tree. */
export type JsonataNode = { type?: string; value?: unknown; position?: number; [part: string]: unknown };

/** The conversion of one expression of JSONata, as its parts see it. */
export interface JsonataConversion {
  readonly data: ConversionData;
  /** The names at the top of the expression. */
  readonly names: ReadonlySet<string>;
  /** Where in the source the conversion is. */
  position: number;
  /** The number of functions around the present place whose parameter is an item of a list. */
  openEntries: number;
  refuse(reason: string): never;
  doubt(reason: string): void;
  /** The value of a tree. `context`: what names are fields of; undefined: the top. */
  convert(tree: JsonataNode, context?: CodePiece): CodePiece;
  /** A value of which only counts whether it is true. */
  convertTest(tree: JsonataNode, context: CodePiece | undefined): CodePiece;
  /** A value as a list: nothing is the empty list, and what is no list is a list of one. */
  convertList(tree: JsonataNode, context: CodePiece | undefined): CodePiece;
  lambdaCode(tree: JsonataNode, context: CodePiece | undefined): string;
  requireNumber(piece: CodePiece): CodePiece;
  requireText(piece: CodePiece): CodePiece;
}

export const jsonataNodes = (value: unknown): JsonataNode[] => (Array.isArray(value) ? (value as JsonataNode[]) : []);
export const toJsonataNode = (value: unknown): JsonataNode => value as JsonataNode;

export const JAVASCRIPT_NAME = /^[A-Za-z_$][\w$]*$/;

/** A regular expression of JSONata in JavaScript. */
export function printJsonataRegex({ value }: JsonataNode, isGlobal = false): string {
  const { source, flags } = value as RegExp;
  return `/${source}/${flags.replace('g', '')}${isGlobal ? 'g' : ''}`;
}
