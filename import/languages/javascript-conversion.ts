import type { CodePiece } from './conversion';
import type { JavascriptTree } from './javascript-syntax';

/** The conversion of one expression of JavaScript, as its parts see it. */
export interface JavascriptConversion {
  /** Where in the source the conversion is. */
  position: number;
  refuse(reason: string): never;
  doubt(reason: string): void;
  convert(tree: JavascriptTree): CodePiece;
  /** A regular expression in JSONata; undefined: the tree is none. */
  regexLiteral(tree: JavascriptTree): string | undefined;
  /** A function with one expression, `(item) => item.price`, as a function of JSONata. */
  lambda(tree: JavascriptTree | undefined, parameters: readonly CodePiece[]): { code: string; body: CodePiece };
  requireNumber(piece: CodePiece): CodePiece;
  /** A value as a text, as JavaScript writes it. */
  textPart(piece: CodePiece): string;
}

export const JSONATA_NAME = /^[A-Za-z_]\w*$/;

export const toJavascriptTree = (value: unknown): JavascriptTree => value as JavascriptTree;
