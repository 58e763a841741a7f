import type { MongoServerConfig } from '@/contract/credentials/mongodb';
import { findUsualDatabase } from '@/server/network/mongodb/connect';
import { withMongoSession } from '@/server/network/mongodb/mongodb';
import { MONGO_OPERATIONS } from '@/server/network/mongodb/operations';
import { MongoResultDocuments } from '@/server/network/mongodb/result-documents';
import { createConfigFailure, createNodeFailure } from '@/server/platform/errors/node-failure';
import { completeNode, defineNodeType } from '../node-type';
import { findMissingMongoFields, mongodbConfig } from './mongodb-config';
import { buildMongoInput } from './mongodb-values';

/** The timeout of nodes that act outside. */
const DEFAULT_MONGO_TIMEOUT_MS = 60_000;

export const mongodbNodeType = defineNodeType({
  type: 'mongodb',
  title: 'MongoDB',
  summary: 'Finds, aggregates, inserts, updates and deletes documents of a MongoDB database.',
  synonyms: [
    'mongo',
    'atlas',
    'documentdb',
    'cosmos db',
    'ferretdb',
    'nosql',
    'document database',
    'collection',
    'bson',
    'pipeline',
  ],
  category: 'action',
  config: mongodbConfig,
  gaps: findMissingMongoFields,
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: ['mongodb'],
  needsCredential: true,
  isOutside: true,
  tool: {},
  asksSource: true,
  async run({ config, written, credential, secrets, signal, timeoutMs = DEFAULT_MONGO_TIMEOUT_MS, reserve }) {
    if (!credential) throw createNodeFailure('CREDENTIAL_MISSING', { subject: 'The node' });
    const [gap] = findMissingMongoFields(config);
    if (gap) throw createConfigFailure(gap.field, gap.message);
    const { operation = 'find' } = config;
    const server = credential.credential.config as MongoServerConfig;
    const input = buildMongoInput(config, written, findUsualDatabase(server), timeoutMs);
    const found = new MongoResultDocuments(reserve);
    const use = { signal, redact: (text: string) => secrets.text(text), reserve };
    return completeNode(
      await withMongoSession(credential.credential, use, (ask) => MONGO_OPERATIONS[operation](input, { ask, found })),
    );
  },
});
