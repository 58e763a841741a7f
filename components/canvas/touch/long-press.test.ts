import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLongPress } from './long-press';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const at = (clientX: number, clientY: number, pointerType = 'touch') => ({ pointerType, clientX, clientY });

function watched() {
  const onPress = vi.fn();
  return { onPress, press: createLongPress(onPress) };
}

test('a finger that rests is a long press, once, at its place', () => {
  const { onPress, press } = watched();
  press.down(at(20, 30));
  press.move(at(24, 33));
  vi.advanceTimersByTime(2000);
  expect(onPress.mock.calls).toEqual([[at(20, 30)]]);
});

test.each([
  ['is lifted', (press: ReturnType<typeof createLongPress>) => press.up(at(20, 30))],
  ['moves', (press: ReturnType<typeof createLongPress>) => press.move(at(20, 45))],
  ['is joined by another', (press: ReturnType<typeof createLongPress>) => press.down(at(200, 30))],
])('a finger that %s is none', (_, act) => {
  const { onPress, press } = watched();
  press.down(at(20, 30));
  act(press);
  vi.advanceTimersByTime(2000);
  expect(onPress).not.toHaveBeenCalled();
});

test('a mouse button is none', () => {
  const { onPress, press } = watched();
  press.down(at(20, 30, 'mouse'));
  vi.advanceTimersByTime(2000);
  expect(onPress).not.toHaveBeenCalled();
});

test('after two fingers, one finger counts again', () => {
  const { onPress, press } = watched();
  press.down(at(20, 30));
  press.down(at(90, 30));
  press.up(at(20, 30));
  press.up(at(90, 30));
  press.down(at(50, 50));
  vi.advanceTimersByTime(2000);
  expect(onPress).toHaveBeenCalledOnce();
});
