/** How long a finger must rest to count as a long press. */
const LONG_PRESS_MS = 500;
/** How far the finger may move during a long press, in pixels. */
const MAX_PRESS_MOVEMENT = 10;

export interface PointerPress {
  pointerType: string;
  clientX: number;
  clientY: number;
}

/** Recognises a long press of a finger, because not every browser turns it into a `contextmenu` event. */
export function createLongPress(onPress: (press: PointerPress) => void) {
  let fingers = 0;
  let start: PointerPress | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(timer);
    start = undefined;
  };
  return {
    down: (press: PointerPress) => {
      if (press.pointerType !== 'touch') return;
      stop();
      fingers += 1;
      if (fingers > 1) return;
      start = press;
      timer = setTimeout(() => {
        start = undefined;
        onPress(press);
      }, LONG_PRESS_MS);
    },
    move: ({ clientX, clientY }: PointerPress) => {
      if (start && Math.hypot(clientX - start.clientX, clientY - start.clientY) > MAX_PRESS_MOVEMENT) stop();
    },
    up: ({ pointerType }: PointerPress) => {
      if (pointerType !== 'touch') return;
      fingers = Math.max(0, fingers - 1);
      stop();
    },
  };
}
