import { isDeepStrictEqual } from 'node:util';
import type { ConnectorOperation as OperationRow } from '@/generated/prisma/client';
import type { ApiConnection, ApiOperation, CompiledDocument } from '@/server/evaluation/openapi/record';

/** Describes how a document changes the operations of a connector. */
export interface ConnectorChanges {
  frame: ApiConnection;
  /** First come the operations of the document, then removed ones that workflows still use. */
  operations: { record: ApiOperation; isRemoved: boolean }[];
  added: ApiOperation[];
  changed: ApiOperation[];
  removed: ApiOperation[];
}

type StoredOperationRow = Pick<OperationRow, 'record' | 'isRemoved'>;

const storedApiOperation = ({ record }: StoredOperationRow) => record as unknown as ApiOperation;

/** Picks the fields of an operation that change what a call sends. */
const pickCallFields = ({
  title: _t,
  help: _h,
  group: _g,
  example: _e,
  isDeprecated: _d,
  api: _a,
  ...call
}: ApiOperation) => call;

const operationServer = ({ server, servers }: ApiConnection, api: string | undefined): string =>
  (api === undefined ? undefined : servers[api]) ?? server;

/** Whether calls of an operation differ from before. */
const isCallChanged = (
  before: ApiOperation,
  after: ApiOperation,
  [old, next]: [ApiConnection, ApiConnection],
): boolean =>
  !isDeepStrictEqual(pickCallFields(before), pickCallFields(after)) ||
  (before.api !== undefined || after.api !== undefined
    ? operationServer(old, before.api) !== operationServer(next, after.api)
    : false);

/** Keeps the server address of a removed operation, which may have another name in the new frame. */
function keepOperationServer(record: ApiOperation, before: ApiConnection, after: ApiConnection): ApiOperation {
  const { api, ...rest } = record;
  if (api === undefined) return record;
  const address = operationServer(before, api);
  if (address === after.server) return rest;
  const known = Object.entries(after.servers).find(([, other]) => other === address)?.[0];
  if (known !== undefined) return { ...rest, api: known };
  let number = 1;
  while (Object.hasOwn(after.servers, `kept${number}`)) number += 1;
  after.servers[`kept${number}`] = address;
  return { ...rest, api: `kept${number}` };
}

/**
 * Compares a connector with a document. Operations in `used`, which workflows use, are kept even if the document lacks
 * them.
 */
export function diffConnectorOperations(
  stored: StoredOperationRow[],
  frameBefore: ApiConnection,
  { frame, operations }: Pick<CompiledDocument, 'frame' | 'operations'>,
  used: ReadonlySet<string>,
): ConnectorChanges {
  const before = new Map(stored.map((row) => [storedApiOperation(row).id, row]));
  const next = { ...frame, servers: { ...frame.servers } };
  const isOffered = new Set(operations.map(({ id }) => id));
  const gone = stored.filter((row) => !isOffered.has(storedApiOperation(row).id));
  const kept = gone
    .filter((row) => used.has(storedApiOperation(row).id))
    .map((row) => keepOperationServer(storedApiOperation(row), frameBefore, next));
  return {
    frame: next,
    operations: [
      ...operations.map((record) => ({ record, isRemoved: false })),
      ...kept.map((record) => ({ record, isRemoved: true })),
    ],
    added: operations.filter(({ id }) => before.get(id)?.isRemoved ?? true),
    changed: operations.filter((record) => {
      const row = before.get(record.id);
      return row && !row.isRemoved && isCallChanged(storedApiOperation(row), record, [frameBefore, next]);
    }),
    removed: gone.filter((row) => !row.isRemoved).map(storedApiOperation),
  };
}
