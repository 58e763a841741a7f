import { expect, it, vi } from 'vitest';
import { PacedParser } from './paced-parser';

const busy = (ms: number) => {
  for (const until = performance.now() + ms; performance.now() < until;);
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('parses what is little at once, and much of it in pieces, in order', async () => {
  const parsed: number[] = [];
  const parser = new PacedParser((piece) => void parsed.push(piece.length, piece[0] ?? 0));
  parser.receive(Buffer.alloc(100, 1));
  parser.receive(Buffer.alloc(20_000, 2));
  expect(parsed).toEqual([100, 1, 8192, 2, 8192, 2, 3616, 2]);
});

it('lets others have their turn while it parses what takes long, and pauses the connection', async () => {
  const parsed: number[] = [];
  const flow = { pause: vi.fn<() => void>(), resume: vi.fn<() => void>() };
  const parser = new PacedParser((piece) => {
    parsed.push(piece[0] ?? 0);
    busy(5);
  }, flow);
  for (const value of [1, 2, 3]) parser.receive(Buffer.of(value));
  expect(parsed).toEqual([1]);
  expect(flow.pause).toHaveBeenCalled();
  for (let turns = 0; turns < 10; turns += 1) await turn();
  expect(parsed).toEqual([1, 2, 3]);
  expect(flow.resume).toHaveBeenCalledTimes(1);
});

it('waits for what it is told to wait for', async () => {
  const parsed: string[] = [];
  const parser = new PacedParser((piece) => void parsed.push(piece.toString()));
  let open = () => {};
  parser.receive(Buffer.from('a'));
  parser.waitFor(new Promise<void>((resolve) => (open = resolve)));
  parser.receive(Buffer.from('b'));
  await turn();
  expect(parsed).toEqual(['a']);
  open();
  await turn();
  expect(parsed).toEqual(['a', 'b']);
});
