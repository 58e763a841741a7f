import { NodeFailure } from '@/server/platform/errors/node-failure';

/** The type of a document in another one. */
export const BSON_DOCUMENT = 3;

/** The options of a regular expression are six letters; the library sorts them. */
export const MAX_REGEX_OPTIONS = 16;

export const unreadableMongoReply = (): NodeFailure =>
  new NodeFailure('BAD_RESPONSE', 'The server’s reply could not be read.', false);

/** The position behind the text that begins at `at` and ends with 0. Throws NodeFailure BAD_RESPONSE. */
export function findTextEnd(bytes: Buffer, at: number, limit: number): number {
  const end = bytes.indexOf(0, at);
  if (end === -1 || end >= limit) throw unreadableMongoReply();
  return end + 1;
}

/** The length that a value names. */
function readNamedLength(bytes: Buffer, at: number): number {
  if (at + 4 > bytes.length) throw unreadableMongoReply();
  return bytes.readInt32LE(at);
}

/** The length of a value of BSON that begins at `at`. Throws NodeFailure BAD_RESPONSE if it does not end before `limit`. */
export function measureBsonValue(type: number, bytes: Buffer, at: number, limit: number): number {
  const length = computeValueLength(type, bytes, at, limit);
  if (length < 0 || at + length > limit) throw unreadableMongoReply();
  return length;
}

function computeValueLength(type: number, bytes: Buffer, at: number, limit: number): number {
  switch (type) {
    case 1:
    case 9:
    case 17:
    case 18:
      return 8;
    case 3:
    case 4:
    case 15:
      return readNamedLength(bytes, at);
    case 2:
    case 13:
    case 14:
      return 4 + readNamedLength(bytes, at);
    case 5:
      return 5 + readNamedLength(bytes, at);
    case 7:
      return 12;
    case 8:
      return 1;
    case 11: {
      const pattern = findTextEnd(bytes, at, limit);
      const options = findTextEnd(bytes, pattern, limit);
      if (options - pattern > MAX_REGEX_OPTIONS) throw unreadableMongoReply();
      return options - at;
    }
    case 12:
      return 16 + readNamedLength(bytes, at);
    case 16:
      return 4;
    case 19:
      return 16;
    case 6:
    case 10:
    case 127:
    case 255:
      return 0;
    default:
      throw unreadableMongoReply();
  }
}

/** A field of a document, whose value is not read yet. */
export interface BsonField {
  type: number;
  name: string;
  value: Buffer;
  /** With type and name. */
  whole: Buffer;
}

/** The fields of a document one by one, in time linear to its length. Throws NodeFailure BAD_RESPONSE. */
export function* walkBsonFields(bytes: Buffer): Generator<BsonField> {
  const last = bytes.length - 1;
  if (last < 4 || bytes.readInt32LE(0) !== bytes.length || bytes[last] !== 0) throw unreadableMongoReply();
  for (let at = 4; at < last;) {
    const type = bytes[at] ?? 0;
    const valueAt = findTextEnd(bytes, at + 1, last);
    const end = valueAt + measureBsonValue(type, bytes, valueAt, last);
    const name = bytes.toString('utf8', at + 1, valueAt - 1);
    yield { type, name, value: bytes.subarray(valueAt, end), whole: bytes.subarray(at, end) };
    at = end;
  }
}
