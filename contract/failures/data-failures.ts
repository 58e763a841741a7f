import type { FailureRecord } from './failure-record';

/** What is wrong with the data that a node gives or stores. */
export const DATA_FAILURES = {
  TOO_LARGE: {
    title: 'The data is too large',
    advice: 'Request less, for example one page, or read the response as a file.',
    parameters: { field: 'text', problem: 'text' },
    sentence: '{field}: {problem}',
  },
  OUTPUT_TOO_LARGE: {
    title: 'The output is too large',
    advice: 'Return fewer items or fields, or store the data in a file or table.',
  },
  OUTPUT_TOO_DEEP: { title: 'The output is nested too deeply', advice: 'Return a flatter structure.' },
  OUTPUT_NOT_JSON: {
    title: 'The output is not JSON',
    advice: 'Return objects, lists, texts, numbers, true, false or null.',
  },
  VALUE_TOO_LARGE: { title: 'A value is too large', advice: 'Store a smaller value, or use a file.' },
  TOO_MANY_ITEMS: {
    title: 'The list has too many items',
    advice: 'Filter the list first, or split the work into several runs.',
  },
  TOO_MANY_FILES: { title: 'There are too many files', advice: 'Process fewer files in one node.' },
  CONVERT_FAILED: { title: 'The data can’t be converted', advice: 'Check that the data has the chosen format.' },
  EXPANSION_LIMIT: { title: 'The archive expands too far', advice: 'Archives may expand to 100 times their size.' },
  TABLE_NOT_FOUND: {
    title: 'The table does not exist',
    advice: 'Choose another table.',
    parameters: { tableId: 'text' },
    sentence: 'The workspace has no table {tableId}.',
  },
  UNIQUE_CLASH: { title: 'A unique value exists already', advice: 'Use “upsert” to change the row that exists.' },
  CONFLICT: { title: 'Another run changed the data', advice: 'Run again. Set retries if it happens often.' },
  FILE_NOT_FOUND: { title: 'The file no longer exists', advice: 'Files are deleted with the last run that uses them.' },
  FILE_QUOTA: {
    title: 'The quota for files is used up',
    advice: 'Delete runs with files, or reduce the retention of runs.',
  },
  FILE_STORAGE: {
    title: 'The file storage can’t be reached',
    advice: 'Run again later. The operator of the service can check the storage.',
  },
  QUOTA: { title: 'A quota is used up', advice: 'Settings, Usage shows the quotas.' },
} as const satisfies Record<string, FailureRecord>;
