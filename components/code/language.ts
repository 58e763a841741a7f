import type { Extension } from '@codemirror/state';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { jsonata } from './jsonata';

/**
 * What a text is written in: the body of a function, a JSON value, a text that holds `{{ }}`, or one that is an
 * expression as a whole.
 */
export type Language = 'javascript' | 'json' | 'template' | 'expression';

const LANGUAGES: Record<Language, () => Extension> = {
  javascript,
  json,
  template: () => jsonata(false),
  expression: () => jsonata(true),
};

export const languageOf = (language: Language): Extension => LANGUAGES[language]();
