import { z } from 'zod';
import type { ReplyTextPiece } from './events';

/**
 * UTF-16 units of a piece. As JSON, each takes at most six bytes, and PostgreSQL accepts notifications of less than
 * 8000.
 */
const MAX_PIECE_UNITS = 1200;

const replyTextMessageSchema = z.tuple([z.string(), z.number().int().min(0), z.string()]);

/** A piece as messages that fit into a notification each. */
export const encodeReplyText = ({ executionId, at, text }: ReplyTextPiece): string[] =>
  Array.from({ length: Math.ceil(text.length / MAX_PIECE_UNITS) }, (_, part) => {
    const from = part * MAX_PIECE_UNITS;
    return JSON.stringify([executionId, at + from, text.slice(from, from + MAX_PIECE_UNITS)]);
  });

/** The piece in a message. Other clients of the database or of Redis can send anything: undefined. */
export function decodeReplyText(message: string): ReplyTextPiece | undefined {
  let value: unknown;
  try {
    value = JSON.parse(message);
  } catch {
    return undefined;
  }
  const { data } = replyTextMessageSchema.safeParse(value);
  return data && { executionId: data[0], at: data[1], text: data[2] };
}
