import { UnsupportedSyntaxError } from './syntax';
import type { ScriptToken } from './tokens';

/** The place of a parser in its tokens. */
export class TokenCursor {
  private at = 0;

  constructor(private readonly tokens: readonly ScriptToken[]) {}

  /** Returns a token further ahead without taking it. */
  peek(ahead = 0): ScriptToken {
    return this.tokens[this.at + ahead] ?? { kind: 'end', text: '' };
  }

  /** Takes the next token, or so many. */
  next(count = 1): ScriptToken {
    const token = this.peek();
    this.at += count;
    return token;
  }

  isPunctuator(sign: string, ahead = 0): boolean {
    const { kind, text } = this.peek(ahead);
    return kind === 'sign' && text === sign;
  }

  isWord(word: string): boolean {
    const { kind, text } = this.peek();
    return kind === 'name' && text === word;
  }

  takePunctuator(sign: string): boolean {
    if (!this.isPunctuator(sign)) return false;
    this.at += 1;
    return true;
  }

  takeWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.at += 1;
    return true;
  }

  expectPunctuator(sign: string): void {
    if (!this.takePunctuator(sign)) throw new UnsupportedSyntaxError('this form of expression');
  }

  name(): string {
    const { kind, text } = this.next();
    if (kind !== 'name') throw new UnsupportedSyntaxError('this form of expression');
    return text;
  }
}
