import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ConnectorChoiceSource, OperationChoiceSource } from '../../choices';

const OBJECTS_PER_PAGE = 100;

const supabaseColumns: OperationChoiceSource = {
  operation: 'columns.list',
  parametersFrom: { table: 'table' },
  value: 'name',
  label: ['name'],
  hint: 'format',
};

/** What lists the choices of Supabase. */
export const supabaseChoices: Record<string, ConnectorChoiceSource> = {
  tables: { operation: 'tables.list', value: 'name', label: ['name'], hint: 'description' },
  column_names: supabaseColumns,
  columns: {
    ...supabaseColumns,
    column: {
      type: 'type',
      types: {
        integer: 'number',
        number: 'number',
        boolean: 'boolean',
        date: 'date',
        enum: 'options',
        array: 'json',
        object: 'json',
        json: 'json',
      },
      isRequired: { when: 'isRequired' },
      options: { at: ['options'], value: '', label: [''] },
    },
  },
  functions: { operation: 'functions.list', value: 'name', label: ['name'] },
  buckets: { operation: 'buckets.list', value: 'name', label: ['name'] },
  objects: {
    dependsOn: ['bucket'],
    searches: true,
    // One folder at a time: the text up to the last slash is the folder, the rest a part of the name.
    *steps({ values: { bucket = '' }, search, page }) {
      const at = search.lastIndexOf('/');
      const folder = search.slice(0, Math.max(at, 0));
      const value = {
        prefix: folder,
        search: search.slice(at + 1),
        limit: OBJECTS_PER_PAGE,
        offset: Number(page ?? 0),
      };
      const path = `/storage/v1/object/list/${encodeURIComponent(bucket)}`;
      const { body } = yield { method: 'POST', path, body: { as: 'json', value } };
      const found = Array.isArray(body) ? (body as unknown[]) : [];
      const items = found.map((object) => ({
        path: `${folder === '' ? '' : `${folder}/`}${String(getAtPath(object, 'name'))}`,
        kind: getAtPath(object, 'id') === null ? 'folder: search for its name and /' : 'file',
      }));
      return {
        items,
        next: found.length === OBJECTS_PER_PAGE ? String(value.offset + OBJECTS_PER_PAGE) : null,
      };
    },
    value: 'path',
    label: ['path'],
    hint: 'kind',
  },
};
