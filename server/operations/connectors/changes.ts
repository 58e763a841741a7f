import { isDeepStrictEqual } from 'node:util';
import type { ConnectorOperation as OperationRow } from '@/generated/prisma/client';
import type { ApiFrame, ApiOperation, ReadDocument } from '@/server/openapi/record';

/** What a document makes of the operations of a connector. */
export interface Changes {
  frame: ApiFrame;
  /** In their order: those of the document, then removed ones that workflows use. */
  operations: { record: ApiOperation; isRemoved: boolean }[];
  added: ApiOperation[];
  changed: ApiOperation[];
  removed: ApiOperation[];
}

type Stored = Pick<OperationRow, 'record' | 'isRemoved'>;

const recordOf = ({ record }: Stored) => record as unknown as ApiOperation;

/** The parts of an operation that calls depend on. */
const callOf = ({ title: _t, help: _h, group: _g, example: _e, isDeprecated: _d, api: _a, ...call }: ApiOperation) =>
  call;

const serverOf = ({ server, servers }: ApiFrame, api: string | undefined): string =>
  (api === undefined ? undefined : servers[api]) ?? server;

/** Whether calls of an operation differ from before. */
const isChanged = (before: ApiOperation, after: ApiOperation, [old, next]: [ApiFrame, ApiFrame]): boolean =>
  !isDeepStrictEqual(callOf(before), callOf(after)) ||
  (before.api !== undefined || after.api !== undefined
    ? serverOf(old, before.api) !== serverOf(next, after.api)
    : false);

/** Names the server of a removed operation in the new frame, where other names may mean it. */
function moved(record: ApiOperation, before: ApiFrame, after: ApiFrame): ApiOperation {
  const { api, ...rest } = record;
  if (api === undefined) return record;
  const address = serverOf(before, api);
  if (address === after.server) return rest;
  const known = Object.entries(after.servers).find(([, other]) => other === address)?.[0];
  if (known !== undefined) return { ...rest, api: known };
  let number = 1;
  while (Object.hasOwn(after.servers, `kept${number}`)) number += 1;
  after.servers[`kept${number}`] = address;
  return { ...rest, api: `kept${number}` };
}

/** Compares a connector with a document. `used`: ids of operations that workflows use; what the document lacks of them is kept. */
export function changesOf(
  stored: Stored[],
  frameBefore: ApiFrame,
  { frame, operations }: Pick<ReadDocument, 'frame' | 'operations'>,
  used: ReadonlySet<string>,
): Changes {
  const before = new Map(stored.map((row) => [recordOf(row).id, row]));
  const next = { ...frame, servers: { ...frame.servers } };
  const isOffered = new Set(operations.map(({ id }) => id));
  const gone = stored.filter((row) => !isOffered.has(recordOf(row).id));
  const kept = gone.filter((row) => used.has(recordOf(row).id)).map((row) => moved(recordOf(row), frameBefore, next));
  return {
    frame: next,
    operations: [
      ...operations.map((record) => ({ record, isRemoved: false })),
      ...kept.map((record) => ({ record, isRemoved: true })),
    ],
    added: operations.filter(({ id }) => before.get(id)?.isRemoved ?? true),
    changed: operations.filter((record) => {
      const row = before.get(record.id);
      return row && !row.isRemoved && isChanged(recordOf(row), record, [frameBefore, next]);
    }),
    removed: gone.filter((row) => !row.isRemoved).map(recordOf),
  };
}
