import type { Extension } from '@codemirror/state';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { jsonata } from './jsonata';

/** The language of a text: a function body, a JSON value, a template with `{{ }}`, or a bare expression. */
export type Language = 'javascript' | 'json' | 'template' | 'expression';

const LANGUAGES: Record<Language, () => Extension> = {
  javascript,
  json,
  template: () => jsonata(false),
  expression: () => jsonata(true),
};

export const languageOf = (language: Language): Extension => LANGUAGES[language]();
