import { expect, it } from 'vitest';
import { PostgresMessageCheck } from './postgres-messages';

function message(code: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(code);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}
const columns = (count: number) => message('T', Buffer.from([count >> 8, count & 255, 1, 2, 3]));
const usual = [
  message('R', Buffer.alloc(4)),
  message('Z', Buffer.from('I')),
  columns(4096),
  message('1', Buffer.alloc(0)),
];

it.each([1, 2, 3, 7, 1000])('messages in parts of %i bytes are looked at', (size) => {
  const { check } = new PostgresMessageCheck();
  const inParts = (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += size) check(bytes.subarray(at, at + size));
  };
  inParts(Buffer.concat([...usual, message('D', Buffer.alloc(100_000)), message('N', Buffer.alloc(1000))]));
  expect(() => inParts(columns(4097))).toThrow(/more than 4096 columns/);
});

it.each(['E', 'N'])('a message %s that is long is refused before it arrives', (code) => {
  const { check } = new PostgresMessageCheck();
  check(Buffer.concat(usual));
  expect(() => check(message(code, Buffer.alloc(70_000)).subarray(0, 5))).toThrow(/an error that is too long/);
});

it('a length that is none is left to the parser', () => {
  const { check } = new PostgresMessageCheck();
  expect(() => check(Buffer.from([82, 0, 0, 0, 0, 90, 0, 0, 0, 5, 73]))).not.toThrow();
});
