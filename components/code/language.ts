import type { Extension } from '@codemirror/state';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { python } from '@codemirror/lang-python';
import { jsonata } from './jsonata';

/** The language of a text: a function body, a JSON value, SQL, a command of a shell, a template with `{{ }}`, or a bare expression. */
export type Language = 'javascript' | 'python' | 'json' | 'sql' | 'shell' | 'template' | 'expression';

const LANGUAGES: Record<Language, () => Extension> = {
  javascript,
  python,
  json,
  // Without colours: servers differ in their words, and a parser for each is large.
  sql: () => [],
  shell: () => [],
  template: () => jsonata(false),
  expression: () => jsonata(true),
};

/** Whether texts go to another server as they are: without expressions. */
export const isSent = (language: Language): boolean => language === 'sql' || language === 'shell';

/** Whether texts are programs of several lines, with names for the data of the run. */
export const isProgram = (language: Language): boolean => language === 'javascript' || language === 'python';

export const languageOf = (language: Language): Extension => LANGUAGES[language]();
