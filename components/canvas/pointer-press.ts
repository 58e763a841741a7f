let isPressed = false;

/** Tracks whether a pointer is pressed anywhere on the page. Returns the function that stops it. */
export function trackPointerPress(): () => void {
  const press = () => {
    isPressed = true;
  };
  const release = () => {
    isPressed = false;
  };
  addEventListener('pointerdown', press, true);
  addEventListener('pointerup', release, true);
  addEventListener('pointercancel', release, true);
  return () => {
    release();
    removeEventListener('pointerdown', press, true);
    removeEventListener('pointerup', release, true);
    removeEventListener('pointercancel', release, true);
  };
}

/**
 * Runs a callback at once, or after the pointer is released and its own handlers ran (`byHand`). Returns the function
 * that cancels it.
 */
export function afterPointerRelease(run: (byHand: boolean) => void): () => void {
  if (!isPressed) {
    run(false);
    return () => undefined;
  }
  let frame = 0;
  const later = () => {
    frame = requestAnimationFrame(() => run(true));
  };
  addEventListener('pointerup', later, { once: true });
  return () => {
    removeEventListener('pointerup', later);
    cancelAnimationFrame(frame);
  };
}
