import { decodeUtf8InTurns, YieldTimer } from '@/server/platform/timers/cooperative';
import { databasePool } from '@/server/platform/db/client';
import { parseUnlessLarge } from '@/server/evaluation/expressions/large-json';
import { parseStoredJson } from '@/server/platform/messages/json-in-pieces';

/**
 * Bytes of a text that node-postgres decodes within a few milliseconds, whatever its letters are. ASCII takes a tenth
 * of that.
 */
const DECODED_AT_ONCE = 1024 * 1024;
const PIECE = 256 * 1024;

/** SQL of rows with the columns `path`, `part` and `text`. It is part of the program, as is its name. */
export interface TextQuery {
  name: string;
  source: string;
  values: unknown[];
}

export interface LargeValue {
  path: string;
  part: string;
  value: unknown;
}

/**
 * Reads values from the text of their JSON, however large they are: in pieces, between which others get their turn.
 * Large ones stay text, but for what a node holds, which the service looks into.
 */
export async function readLargeValues({ name, source, values }: TextQuery): Promise<LargeValue[]> {
  const { rows } = await databasePool().query<{ path: string; part: string; text: string | null }>({
    name,
    text: `SELECT path, part, CASE WHEN octet_length(text) <= ${DECODED_AT_ONCE} OR octet_length(text) = char_length(text) THEN text END AS text
      FROM (${source}) given WHERE text IS NOT NULL`,
    values,
  });
  const timer = new YieldTimer();
  const found: LargeValue[] = [];
  for (const { path, part, text } of rows) {
    const json = text ?? (await readInPieces({ name, source, values }, path, part));
    found.push({ path, part, value: part === 'held' ? await parseStoredJson(json) : parseUnlessLarge(json) });
    if (timer.isDue) await timer.take();
  }
  return found;
}

/** The bytes of one text, each piece as a row of its own. */
async function readInPieces({ name, source, values }: TextQuery, path: string, part: string): Promise<string> {
  const { rows } = await databasePool().query<{ at: number; piece: Buffer }>({
    name: `${name}-pieces`,
    text: `SELECT at, substring(bytes FROM at + 1 FOR ${PIECE}) AS piece
      FROM (SELECT convert_to(text, 'UTF8') AS bytes FROM (${source}) given
        WHERE path = $${values.length + 1} AND part = $${values.length + 2} OFFSET 0) whole,
        generate_series(0, octet_length(bytes) - 1, ${PIECE}) AS at`,
    values: [...values, path, part],
  });
  return decodeUtf8InTurns(Buffer.concat(rows.toSorted((one, other) => one.at - other.at).map(({ piece }) => piece)));
}
