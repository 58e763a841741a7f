import type { Extension } from '@codemirror/state';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { python } from '@codemirror/lang-python';
import { jsonata } from './jsonata';

/** The language of a text: a function body, a JSON value, SQL, a template with `{{ }}`, or a bare expression. */
export type Language = 'javascript' | 'python' | 'json' | 'sql' | 'template' | 'expression';

const LANGUAGES: Record<Language, () => Extension> = {
  javascript,
  python,
  json,
  // Without colours: servers differ in their words, and a parser for each is large.
  sql: () => [],
  template: () => jsonata(false),
  expression: () => jsonata(true),
};

/** Whether texts are programs of several lines, with names for the data of the run. */
export const isProgram = (language: Language): boolean => language === 'javascript' || language === 'python';

export const languageOf = (language: Language): Extension => LANGUAGES[language]();
