/** How long a finger rests before it counts as a long press. */
const PRESS_MS = 500;
/** How far it may move meanwhile, in pixels. */
const STILL = 10;

export interface Press {
  pointerType: string;
  clientX: number;
  clientY: number;
}

/** Recognises a finger that rests: not every browser turns it into a `contextmenu` event. */
export function createLongPress(onPress: (press: Press) => void) {
  let fingers = 0;
  let start: Press | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(timer);
    start = undefined;
  };
  return {
    down: (press: Press) => {
      if (press.pointerType !== 'touch') return;
      stop();
      fingers += 1;
      if (fingers > 1) return;
      start = press;
      timer = setTimeout(() => {
        start = undefined;
        onPress(press);
      }, PRESS_MS);
    },
    move: ({ clientX, clientY }: Press) => {
      if (start && Math.hypot(clientX - start.clientX, clientY - start.clientY) > STILL) stop();
    },
    up: ({ pointerType }: Press) => {
      if (pointerType !== 'touch') return;
      fingers = Math.max(0, fingers - 1);
      stop();
    },
  };
}
