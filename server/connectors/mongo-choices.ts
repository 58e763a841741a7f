import type { FieldChoice } from '@/contract/choices';
import type { MongoServerConfig } from '@/contract/credentials/mongodb';
import { listMongoCollections, listMongoDatabases } from '@/server/network/mongodb/catalogue';
import { findUsualDatabase } from '@/server/network/mongodb/connect';
import { withMongoSession, type SendMongoCommand } from '@/server/network/mongodb/mongodb';
import { ChoiceRefusal, type ChoiceCredential } from './calls/choice-credential';

function listNamedChoices(
  { credential: { credential }, secrets, signal }: ChoiceCredential,
  list: (ask: SendMongoCommand) => Promise<string[]>,
): Promise<FieldChoice[]> {
  const redact = (text: string) => secrets.text(text);
  return withMongoSession(credential, { signal, redact }, async (ask) =>
    (await list(ask)).map((name) => ({ value: name, label: name })),
  );
}

/** The databases of a server. */
export const listDatabaseChoices = (opened: ChoiceCredential): Promise<FieldChoice[]> =>
  listNamedChoices(opened, listMongoDatabases);

/** The collections and views of the database that is named, or that the credential names. */
export function listCollectionChoices(
  opened: ChoiceCredential,
  { database }: Readonly<Record<string, string>>,
): Promise<FieldChoice[]> {
  const used = database ?? findUsualDatabase(opened.credential.credential.config as MongoServerConfig);
  if (used === undefined) throw new ChoiceRefusal('source', 'needs a database, because the credential names none');
  return listNamedChoices(opened, (ask) => listMongoCollections(ask, used));
}
