import type { Extension } from '@codemirror/state';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { jsonata } from './jsonata';

/** The language of a text: a function body, a JSON value, SQL, a template with `{{ }}`, or a bare expression. */
export type Language = 'javascript' | 'json' | 'sql' | 'template' | 'expression';

const LANGUAGES: Record<Language, () => Extension> = {
  javascript,
  json,
  // Without colours: servers differ in their words, and a parser for each is large.
  sql: () => [],
  template: () => jsonata(false),
  expression: () => jsonata(true),
};

export const languageOf = (language: Language): Extension => LANGUAGES[language]();
