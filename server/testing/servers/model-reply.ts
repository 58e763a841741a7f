/** What a model says: text, calls of tools, or a refusal by status. */
export interface Reply {
  text?: string;
  calls?: { name: string; arguments: unknown; id?: string }[];
  finish?: 'length';
  /** Tokens in and out. */
  usage?: [number, number];
  /** The pieces that a streamed text arrives in; default: one. */
  pieces?: AsyncIterable<string> | string[];
  status?: number;
  headers?: Record<string, string>;
  error?: string;
}

export type Protocol = 'chat' | 'responses' | 'messages' | 'gemini';
