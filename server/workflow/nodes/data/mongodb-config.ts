import { z } from 'zod';
import type { FieldIssue } from '@/contract/error-response';
import { MAX_MONGO_DOCUMENTS } from '@/server/network/mongodb/result-documents';
import type { MongoOperationName } from '@/server/network/mongodb/operations';
import { choiceField, choicesFrom, literalField, requiredField } from '../field-traits';

const MONGO_LABELS: Record<MongoOperationName, string> = {
  find: 'Find documents',
  find_one: 'Find one document',
  count: 'Count documents',
  aggregate: 'Aggregate documents',
  insert: 'Insert documents',
  update: 'Update documents',
  replace: 'Replace a document',
  delete: 'Delete documents',
  find_and_update: 'Find a document and update it',
  find_and_replace: 'Find a document and replace it',
  find_and_delete: 'Find a document and delete it',
};

/** The field matters for these operations only. */
const onlyForMongo = (...operations: MongoOperationName[]) => ({ 'x-when': { operation: operations } });

const FINDING: MongoOperationName[] = ['find', 'find_one', 'count'];
const CHANGING_FOUND: MongoOperationName[] = ['find_and_update', 'find_and_replace', 'find_and_delete'];
/** Without a query these would change any document: an empty query has to be written. */
const CHANGING: MongoOperationName[] = ['update', 'replace', 'delete', ...CHANGING_FOUND];

const REQUIRED_MONGO_FIELDS: readonly [keyof MongoConfig, readonly MongoOperationName[]][] = [
  ['query', CHANGING],
  ['pipeline', ['aggregate']],
  ['documents', ['insert']],
  ['change', ['update', 'find_and_update']],
  ['document', ['replace', 'find_and_replace']],
];

const mongoName = z.string().max(255);
const jsonValue = z.unknown().optional();

export const mongodbConfig = z.strictObject({
  operation: choiceField(MONGO_LABELS, { apiDescription: 'What is done', title: 'Operation' }).apply(requiredField),
  database: mongoName
    .optional()
    .meta({ title: 'Database', description: 'Empty: that of the credential.' })
    .apply(choicesFrom, 'databases', { search: true, needsCredential: true }),
  collection: mongoName
    .optional()
    .apply(requiredField)
    .meta({ apiDescription: 'Where the documents are', title: 'Collection' })
    .apply(choicesFrom, 'collections', { uses: ['database'], search: true, needsCredential: true }),
  query: jsonValue.meta({
    title: 'Query',
    description: 'The documents that are meant. {} is all. A text of 24 hexadecimal digits at _id is an object id.',
    examples: [{ status: 'open', total: { $gte: 100 } }],
    'x-editor': 'json',
    ...onlyForMongo(...FINDING, ...CHANGING),
  }),
  pipeline: jsonValue.meta({
    title: 'Stages',
    description: 'A list of stages, such as $match, $group and $sort.',
    examples: [[{ $match: { status: 'paid' } }, { $group: { _id: '$customer', total: { $sum: '$total' } } }]],
    'x-editor': 'json',
    ...onlyForMongo('aggregate'),
  }),
  documents: jsonValue.meta({
    title: 'Documents',
    description: 'One document, or a list.',
    examples: [{ email: 'ada@example.com', created: { $date: '2026-01-31T08:00:00Z' } }],
    'x-editor': 'json',
    ...onlyForMongo('insert'),
  }),
  change: jsonValue.meta({
    title: 'Change',
    description: 'Fields with their new values, or operators such as $set, $inc and $push.',
    examples: [{ status: 'paid' }, { $inc: { visits: 1 } }],
    'x-editor': 'json',
    ...onlyForMongo('update', 'find_and_update'),
  }),
  document: jsonValue.meta({
    title: 'Document',
    description: 'Takes the place of the one that is found.',
    'x-editor': 'json',
    ...onlyForMongo('replace', 'find_and_replace'),
  }),
  which: choiceField(
    { all: 'All that match', first: 'The first that matches' },
    {
      title: 'Which documents',
      description: 'Whether all documents that match change, or only the first.',
      default: 'all',
      ...onlyForMongo('update', 'delete'),
    },
  ),
  upsert: z
    .boolean()
    .optional()
    .meta({
      title: 'Insert if none matches',
      description: 'Without a match, a new document is made of the query and the change.',
      ...onlyForMongo('update', 'replace', 'find_and_update', 'find_and_replace'),
    }),
  returns: choiceField(
    { after: 'The document after the change', before: 'The document before the change' },
    {
      title: 'Output',
      description: 'The state of the document that the node gives.',
      default: 'after',
      ...onlyForMongo('find_and_update', 'find_and_replace'),
    },
  ),
  projection: jsonValue.meta({
    title: 'Fields',
    description: 'Those that are read: 1 for each that is, or 0 for each that is not.',
    examples: [{ email: 1, _id: 0 }],
    'x-editor': 'json',
    ...onlyForMongo('find', 'find_one', ...CHANGING_FOUND),
  }),
  sort: jsonValue.meta({
    title: 'Order',
    description: '1 for ascending, -1 for descending.',
    examples: [{ created: -1 }],
    'x-editor': 'json',
    ...onlyForMongo('find', 'find_one', ...CHANGING_FOUND),
  }),
  limit: z
    .number()
    .int()
    .min(1)
    .max(MAX_MONGO_DOCUMENTS)
    .optional()
    .meta({
      title: 'Maximum',
      description: `Empty: all, which fails if there are more than ${MAX_MONGO_DOCUMENTS}.`,
      ...onlyForMongo('find'),
    }),
  skip: z
    .number()
    .int()
    .min(0)
    .optional()
    .meta({ title: 'Skip', description: 'So many documents are left out.', ...onlyForMongo('find', 'find_one') }),
  hasTextIds: z
    .boolean()
    .optional()
    .apply(literalField)
    .meta({
      title: 'Ids are texts',
      description: 'A text of 24 hexadecimal digits at _id stays a text.',
      ...onlyForMongo(...FINDING, ...CHANGING, 'aggregate', 'insert'),
    }),
});

export type MongoConfig = z.output<typeof mongodbConfig>;

/** Fields that an operation lacks. */
export const findMissingMongoFields = (source: Record<string, unknown>): FieldIssue[] =>
  REQUIRED_MONGO_FIELDS.flatMap(([field, operations]) => {
    const isNeeded = operations.some((operation) => operation === source['operation']);
    const value = source[field];
    const isSet = value !== undefined && value !== null && value !== '';
    return isNeeded && !isSet ? [{ field, message: 'is required' }] : [];
  });
